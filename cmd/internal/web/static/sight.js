// A picture, and over it what was read in it: each board's outline, its
// symbols as they were understood, its answer, and what could not be told.

import { stream, aborted } from './api.js';
import { make, parse } from './svg.js';

export class Sight {
  // chosen is called with a board that the user picks, {family, text}.
  constructor(host, chosen) {
    this.host = host;
    this.chosen = chosen;
  }

  clear() {
    this.abort?.abort();
    this.host.replaceChildren();
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
    const box = document.createElement('div');
    box.className = 'sight';
    this.url = URL.createObjectURL(file);
    const img = Object.assign(document.createElement('img'), { src: this.url, alt: 'the picture that was given' });
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
    try {
      await stream('api/look', file, abort.signal, (line) => this.take(line));
    } catch (e) {
      if (!aborted(e)) this.say(e.message);
    }
  }

  fade() {
    for (const g of this.over.querySelectorAll('.drawn')) g.setAttribute('opacity', this.slider.value);
  }

  take(line) {
    if (line.kind === 'sight') this.sight(line);
    if (line.kind === 'drawn') this.drawn(line);
  }

  sight(line) {
    this.over.setAttribute('viewBox', `0 0 ${line.width} ${line.height}`);
    this.seen = line;
    if (!line.boards.length) this.say('no board was found in the picture');
    line.boards.forEach((b, i) => {
      const thick = Math.max(2, line.width / 500);
      if (b.svg) {
        const read = make('g', { class: 'drawn' });
        read.append(...parse(b.svg).childNodes);
        this.over.append(read);
      }
      this.over.append(make('polygon', { points: b.quad.map((p) => p.join(',')).join(' '), class: b.error ? 'failed' : 'read', 'stroke-width': thick }));
      if (b.unsure) this.over.append(make('circle', { cx: b.unsure[0], cy: b.unsure[1], r: 2.5 * b.width, class: 'unsure', 'stroke-width': thick * 1.5 }));
      const p = document.createElement('p');
      const name = `${b.family} board ${i + 1}`;
      if (b.error) {
        p.textContent = `${name}: ${b.unsure ? `not sure: ${b.what} (ringed)` : b.error}`;
      } else {
        const button = Object.assign(document.createElement('button'), { type: 'button', textContent: `${name}: read` });
        button.addEventListener('click', () => this.chosen({ family: b.family, text: b.text }));
        p.append(button, ' ');
      }
      this.list.append(p);
      b.line = p;
    });
    this.fade();
    const first = line.boards.find((b) => b.text);
    if (first) this.chosen({ family: first.family, text: first.text });
  }

  drawn(line) {
    const board = this.seen.boards[line.board];
    board.line.append(line.status === 'solved' ? 'solved; its line is in the picture' : line.status);
    for (const points of line.lines) {
      const at = points.map((p) => p.map((v) => v.toFixed(1)).join(',')).join(' ');
      const r = points.length > 1 ? board.width : board.width * 2;
      if (points.length > 1) {
        this.over.append(make('polyline', { points: at, class: 'under', 'stroke-width': r * 1.3 }), make('polyline', { points: at, class: 'line', 'stroke-width': r * 0.8 }));
      }
      this.over.append(make('circle', { cx: points[0][0], cy: points[0][1], r: r * 0.8, fill: '#fff', stroke: '#000' }));
    }
  }
}
