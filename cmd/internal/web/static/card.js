// A board with what the solver says of it: its answers one by one, how far a
// long search has come, and what else can be done with the board.

import { stream, post, link, aborted, games } from './api.js';
import { make, show, rings } from './svg.js';

// PAGE is how many answers are asked for at a time, and ALL how many are counted: a million
// take seconds to minutes, and say enough.
const [PAGE, ALL] = [50, 1000000];

export function plural(n, word) { return `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`; }

export function seconds(s) {
  if (s < 60) return `${Math.max(1, Math.round(s))} s`;
  if (s < 5400) return `${Math.round(s / 60)} min`;
  return `${Math.round(s / 3600)} h`;
}

// howFar says how far a search has come, and how long it may still take.
export function howFar(line, began) {
  const spent = (performance.now() - began) / 1000;
  if (!line || !line.estimate || line.done <= 0) return { text: `${seconds(spent)} so far` };
  const part = Math.min(1, line.done / line.estimate);
  return { part, text: `${seconds(spent)}, perhaps ${seconds((line.seconds * (1 - part)) / part)} left` };
}

// verdict says in words how many answers there are.
export function verdict(count) {
  const n = count.groups ?? count.count;
  const all = `${count.atLeast ? 'at least ' : ''}${plural(count.count, 'answer')}`;
  if (n === 1) return count.groups !== undefined && count.count > 1 ? `one answer ${count.what.replace(/^that differ/, 'up to what differs')}` : 'exactly one answer';
  if (n === 0) return `${all}, none ${count.what}`;
  // The server counts to two unless it is asked for more.
  const many = `${n >= 2 && count.atLeast ? 'at least ' : ''}${plural(n, 'answer')}`;
  return count.groups !== undefined ? `${many} ${count.what}` : many;
}

// progressBar shows a search's progress once it takes longer than a moment.
export class ProgressBar {
  constructor(el, onCancel) {
    this.el = el;
    this.bar = el.querySelector('progress');
    this.text = el.querySelector('span');
    el.querySelector('.cancel').addEventListener('click', onCancel);
  }

  start() {
    this.began = performance.now();
    this.line = null;
    this.what = ''; // is done, once the board is solved
    this.bar.removeAttribute('value');
    this.timer = setInterval(() => this.tick(), 200);
  }

  tick() {
    if (performance.now() - this.began < 400) return;
    this.el.hidden = false;
    const far = howFar(this.line, this.began);
    if (far.part !== undefined) this.bar.value = far.part;
    this.text.textContent = this.what ? `${this.what}: ${far.text}` : far.text;
  }

  stop() {
    clearInterval(this.timer);
    this.el.hidden = true;
  }
}

export class Card {
  constructor(host) {
    this.root = document.getElementById('card').content.firstElementChild.cloneNode(true);
    host.replaceChildren(this.root);
    const $ = (s) => this.root.querySelector(s);
    this.board = $('.board');
    this.said = $('.verdict');
    this.why = $('.why');
    this.steps = $('.steps');
    this.which = $('.which');
    this.actions = $('.actions');
    this.moves = $('.moves');
    this.source = $('.source');
    this.bare = $('.bare');
    this.asked = $('.asked');
    $('.reveal').addEventListener('click', () => { this.hidden = false; this.draw(); this.board.focus(); });
    this.progress = new ProgressBar($('.progress'), () => this.cancel('cancelled'));
    this.counter = $('.count');
    this.tracer = $('.trace');
    this.tracer.addEventListener('click', () => (this.tracing !== undefined ? this.cancel() : this.trace()));
    for (const b of this.steps.querySelectorAll('[data-step]')) b.addEventListener('click', () => this.step(Number(b.dataset.step)));
    this.counter.addEventListener('click', () => this.countAll());
    this.bare.addEventListener('change', () => this.draw());
    this.board.addEventListener('keydown', (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[e.key];
      if (by && !this.steps.hidden) {
        e.preventDefault();
        this.step(by);
      }
    });
    this.root.hidden = true;
  }

  say(text, kind) {
    this.said.textContent = text;
    this.said.className = `verdict ${kind}`;
  }

  cancel(words) {
    this.abort?.abort();
    this.abort = null;
    this.progress.stop();
    this.traced();
    if (words) this.say(words, 'warn');
  }

  clear() {
    this.cancel();
    this.puzzle = null;
    this.root.hidden = true;
  }

  // show solves a board, {family, text}. source says where it comes from, if it
  // is to be kept in the store; hidden: its answer is shown only when asked for.
  async show(puzzle, source = '', hidden = false) {
    this.cancel();
    this.puzzle = puzzle;
    this.hidden = hidden;
    this.asked.hidden = true;
    this.root.hidden = false;
    this.answers = [];
    this.svgs = new Map();
    this.at = 0;
    this.total = undefined;
    this.count = null;
    this.plain = null;
    this.tracer.hidden = true;
    this.where = null;
    this.why.textContent = '';
    this.steps.hidden = true;
    this.moves.hidden = true;
    this.source.querySelector('pre').textContent = puzzle.text;
    this.showActions();
    this.say('solving…', 'wait');
    const abort = (this.abort = new AbortController());
    this.progress.start();
    try {
      await stream('api/solve', { ...puzzle, source }, abort.signal, (line) => this.take(line));
    } catch (e) {
      if (this.abort === abort) this.say(e.message, 'bad');
    }
    if (this.abort === abort) this.cancel();
  }

  take(line) {
    switch (line.kind) {
      case 'picture':
        this.plain = line.svg;
        this.canTrace = line.traced;
        this.draw();
        break;
      case 'progress': this.progress.line = line; break;
      case 'answer':
        this.answers[0] = line;
        this.svgs.set(0, line.svg);
        this.say(line.kept ? 'solved before' : `solved in ${line.millis < 10 ? line.millis.toFixed(1) : Math.round(line.millis)} ms`, 'good');
        this.why.textContent = line.aim || '';
        this.progress.what = 'looking for other answers';
        this.draw();
        break;
      case 'count':
        this.count = line;
        if (!line.atLeast) this.total = line.count;
        this.say(`${this.said.textContent}, ${verdict(line)}`, 'good');
        this.draw();
        break;
      case 'none':
        this.say('no answer: that is proved', 'bad');
        this.progress.what = 'looking for why';
        break;
      case 'why':
        this.why.textContent = line.why;
        this.where = line.where;
        this.draw();
        break;
    }
  }

  // trace draws what the search tries over the bare board, and then the answer again.
  async trace() {
    this.cancel();
    const abort = (this.abort = new AbortController());
    const over = make('g');
    show(this.board, this.plain, `the search for the ${this.puzzle.family} board`)?.append(over);
    this.tracing = this.why.textContent;
    this.tracer.textContent = 'Stop';
    try {
      await stream('api/trace', this.puzzle, abort.signal, (line) => {
        this.why.textContent = `step ${line.number.toLocaleString('en')}`;
        over.replaceChildren(...['traced edge', 'traced'].flatMap((kind) => (line.strokes ?? []).map((s) => make('polyline', { points: s.join(' '), class: kind }))));
      });
    } catch (e) {
      if (!aborted(e)) this.say(e.message, 'bad');
    }
    if (this.abort === abort) this.cancel();
  }

  // traced ends it.
  traced() {
    if (this.tracing === undefined) return;
    this.why.textContent = this.tracing;
    this.tracing = undefined;
    this.tracer.textContent = 'Watch the search';
    this.draw();
  }

  label() {
    const name = `${this.puzzle.family} board`;
    if (!this.answers.length || this.covered()) return name;
    return `${name} with answer ${this.at + 1}`;
  }

  covered() { return this.hidden || this.bare.checked; }

  draw() {
    const answer = this.answers[this.at];
    const svg = show(this.board, answer && !this.covered() ? this.svgs.get(this.at) : this.plain, this.label());
    rings(svg, this.where);
    this.asked.hidden = !answer || !this.hidden;
    this.tracer.hidden = !this.canTrace || this.hidden;
    this.steps.hidden = !answer || this.hidden;
    if (!answer || this.hidden) return;
    const some = this.total !== 1;
    this.counter.hidden = !this.count?.atLeast || this.total !== undefined || this.count.all;
    this.which.textContent = some ? `answer ${this.at + 1}${this.total ? ` of ${this.total.toLocaleString('en')}` : ''}` : 'the answer';
    for (const b of this.steps.querySelectorAll('[data-step]')) {
      const by = Number(b.dataset.step);
      b.hidden = !some || (Math.abs(by) > 1 && this.total <= 10);
      b.disabled = by < 0 ? this.at === 0 : this.at + 1 === this.total;
    }
    this.moves.hidden = !answer.moves;
    this.moves.querySelector('ol').replaceChildren(...(answer.moves ?? []).map((m) => Object.assign(document.createElement('li'), { textContent: m })));
  }

  // step shows another answer. The first one is the solver's; the list of all
  // has them in its own order, so from the first step on the list is shown.
  async step(by) {
    let to = Math.max(0, this.at + by);
    if (this.total) to = Math.min(to, this.total - 1);
    if (to === this.at) return;
    try {
      if (!this.listed || this.listed.puzzle !== this.puzzle) this.listed = { puzzle: this.puzzle, have: [] };
      const list = this.listed;
      while (list.have.length <= to && !list.done) {
        const before = list.have.length;
        this.abort?.abort();
        const abort = (this.abort = new AbortController());
        this.progress.start();
        try {
          await stream('api/answers', { ...this.puzzle, from: before, number: PAGE }, abort.signal, (line) => {
            if (line.kind === 'answer') list.have[line.number ?? 0] = line;
            if (line.kind === 'count') list.done = true;
          });
        } finally {
          if (this.abort === abort) this.cancel();
        }
        if (list.puzzle !== this.puzzle) return;
      }
      if (list.done) this.total = list.have.length;
      to = Math.min(to, list.have.length - 1);
      if (to === this.at && this.answers === list.have) return this.draw();
      this.answers = list.have;
      const drawn = await post('api/draw', { ...this.puzzle, strokes: list.have[to].strokes });
      if (list.puzzle !== this.puzzle) return;
      this.at = to;
      this.svgs = new Map([[to, drawn.svg]]);
      list.have[to].moves = drawn.moves;
      this.draw();
    } catch (e) {
      if (!aborted(e)) this.say(e.message, 'bad');
    }
  }

  // countAll counts all answers, however long that takes.
  async countAll() {
    const puzzle = this.puzzle;
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    this.counter.hidden = true;
    this.progress.start();
    try {
      await stream('api/solve', { ...puzzle, number: ALL }, abort.signal, (line) => {
        if (line.kind !== 'count') return;
        this.count = { ...line, all: true };
        if (!line.atLeast) this.total = line.count;
        this.say(verdict(line), 'good');
      });
    } catch (e) {
      if (this.abort === abort) this.say(e.message, 'bad');
    }
    if (this.abort === abort) this.cancel();
    if (puzzle === this.puzzle) this.draw();
  }

  showActions() {
    this.actions.replaceChildren(...Card.links(this.puzzle), shareMenu(() => ({ ...this.puzzle, strokes: this.covered() ? [] : this.answers[this.at]?.strokes ?? [] })));
  }
}

// views are where a board can be taken, filled in by the page.
Card.views = [];
Card.links = (board, here) => Card.views.filter(([view]) => view !== here).map(([view, words]) => Object.assign(document.createElement('a'), { className: 'button', href: link(view, board), textContent: words }));

// shareMenu is what copies and saves a board, and says so itself. A link that
// others can open is one of a site that holds the whole board.
export function shareMenu(current) {
  const box = document.createElement('details');
  box.className = 'share';
  box.append(Object.assign(document.createElement('summary'), { textContent: 'Share or save' }));
  const row = document.createElement('div');
  row.className = 'row';
  const told = document.createElement('span');
  told.className = 'said';
  told.setAttribute('role', 'status');
  const say = (words) => { told.textContent = words; };
  box.append(row);
  const button = (words, act) => {
    const b = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
    b.addEventListener('click', async () => {
      try { await act(); } catch (e) { say(e.message); }
    });
    row.append(b);
  };
  box.addEventListener('toggle', async () => {
    if (!box.open || row.children.length) return;
    const family = (await games()).families.find((f) => f.name === current().family);
    for (const { name, link: before, way } of family?.formats ?? []) {
      if (before) button('Copy a link', async () => {
        const text = (await asText(current(), name)).trim();
        return copy(text.startsWith(before) ? text : before + text, `copied: a link to ${new URL(before).host}`, say);
      });
      else button(`Copy as ${name}`, async () => copy(await asText(current(), name), way ? `copied: ${way}` : 'copied', say));
    }
    button('Copy the address of this page', () => copy(new URL(link('solve', current()), location.href).href, 'copied: it opens on this machine only', say));
    button('Save as text', () => save(current(), 'text', 'txt'));
    for (const to of ['json', 'svg', 'png']) button(`Save as ${to.toUpperCase()}`, () => save(current(), to, to));
    row.append(told);
  });
  return box;
}

async function bytes(board, to) {
  const r = await post('api/save', { ...board, to });
  return { type: r.type, data: Uint8Array.from(atob(r.data), (c) => c.charCodeAt(0)) };
}

async function asText(board, to) { return new TextDecoder().decode((await bytes(board, to)).data); }

async function copy(text, words, say) {
  await navigator.clipboard.writeText(text);
  say(words);
}

async function save(board, to, ending) {
  const { type, data } = await bytes(board, to);
  const url = URL.createObjectURL(new Blob([data], { type }));
  const a = Object.assign(document.createElement('a'), { href: url, download: `${board.family}.${ending}` });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
