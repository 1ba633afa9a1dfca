// A picture, and over it what was read in it: each board's outline, its
// symbols as they were understood, its answer, and what could not be told.

import { stream, aborted } from './api.js';
import { cross, make, parse, trace } from './svg.js';

export class Sight {
  // chosen is called with a board that the user picks, {family, text}, and of a double door with the other; draft is called with what was seen and the board that is to be put right: null, where none was found.
  constructor(host, chosen, draft) {
    Object.assign(this, { host, chosen, draft });
  }

  clear() {
    this.abort?.abort();
    this.host.replaceChildren();
    this.host.parentElement.classList.remove('pictured');
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = null;
  }

  say(text) {
    const p = document.createElement('p');
    p.setAttribute('role', 'status');
    p.textContent = text;
    this.list.append(p);
  }

  async look(file) {
    this.clear();
    const abort = (this.abort = new AbortController());
    this.file = file;
    this.url = URL.createObjectURL(file);
    this.frame(this.url);
    try {
      await stream('api/look', file, abort.signal, (line) => this.take(line));
    } catch (e) {
      if (!aborted(e)) this.say(e.message);
    }
  }

  // frame shows a picture of which nothing is known yet.
  frame(url) {
    const box = document.createElement('div');
    box.className = 'sight';
    const img = Object.assign(document.createElement('img'), { src: url, alt: 'the picture that was given' });
    this.over = make('svg', { 'aria-hidden': 'true' });
    box.append(img, this.over);
    const strength = document.createElement('label');
    strength.className = 'check';
    this.slider = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: 1, step: 0.05, value: 0 });
    this.slider.addEventListener('input', () => this.fade());
    strength.append('what was read', this.slider);
    this.list = document.createElement('div');
    this.list.className = 'sight-said';
    this.host.replaceChildren(box, strength, this.list);
    this.host.parentElement.classList.add('pictured');
  }

  fade() {
    for (const g of this.over.querySelectorAll('.drawn')) g.setAttribute('opacity', this.slider.value);
  }

  take(line) {
    if (line.kind === 'sight') {
      this.sight(line);
      this.first = line.boards.find((b) => b.text);
      if (this.first) this.choose(this.first);
    }
    if (line.kind === 'drawn') this.drawn(line);
  }

  sight(line) {
    this.over.setAttribute('viewBox', `0 0 ${line.width} ${line.height}`);
    this.seen = line;
    if (!line.boards.length) {
      this.say('no board was found in the picture');
      this.offer(this.list.lastChild, 'Show where it is', line, null);
    }
    line.boards.toSorted((a, b) => a.quad[0][0] - b.quad[0][0]).forEach((b, i) => { // as they are seen
      const thick = Math.max(2, line.width / 500);
      if (b.svg) {
        const read = make('g', { class: 'drawn' });
        read.append(...parse(b.svg).childNodes);
        this.over.append(read);
      }
      this.over.append(make('polygon', { points: b.quad.map((p) => p.join(',')).join(' '), class: b.error ? 'failed' : 'read', 'stroke-width': thick }));
      if (b.unsure) this.over.append(make('circle', { cx: b.unsure[0], cy: b.unsure[1], r: 2.5 * b.width, class: 'unsure', 'stroke-width': thick * 1.5 }));
      const p = document.createElement('p');
      const name = b.place || `${b.family} board ${i + 1}`;
      const words = `${name}: ${b.error || 'read'}${b.unsure ? ' (ringed)' : ''}`;
      if (b.text) {
        const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
        button.addEventListener('click', () => this.choose(b));
        p.append(button, ' ');
        this.offer(p, 'Put it right', line, b, '');
      } else {
        p.textContent = words;
        if (b.draft) this.offer(p, 'Put it right', line, b);
      }
      const said = document.createElement('span');
      p.append(' ', said);
      this.list.append(p);
      b.said = said;
    });
    this.fade();
  }

  choose(board) {
    this.chosen(board, this.seen.boards.find((b) => b !== board && b.text && [b, board].every((door) => door.place?.endsWith(' door'))));
  }

  // offer leads to a draft of a board.
  offer(to, words, line, board, how = 'main') {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: `put ${how}`, textContent: words });
    button.addEventListener('click', () => this.draft(line, board));
    to.append(' ', button);
  }

  drawn(line) {
    const board = this.seen.boards[line.board];
    const said = { solved: 'solved; its line is in the picture', unsolvable: 'no answer' };
    board.said.textContent = said[line.status] ?? line.status;
    if (line.status === 'unsolvable') cross(this.over, board);
    // Of boards of which the first has no answer the first that has one is shown.
    if (line.status === 'unsolvable' && board === this.first) this.first = null;
    else if (line.status === 'solved' && this.first === null) this.choose((this.first = board));
    for (const points of line.lines) trace(this.over, points, 0.8 * board.width);
  }
}
