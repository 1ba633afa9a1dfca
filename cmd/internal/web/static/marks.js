// What the user says of a board that is kept: a title, a note, liked or not;
// how often it was played; and that it be forgotten.

import { post, games } from './api.js';
import { plural } from './card.js';

export class Marks {
  // forgotten is called when the board was taken out of the store.
  constructor(host, forgotten) {
    this.root = document.getElementById('marks').content.firstElementChild.cloneNode(true);
    host.replaceChildren(this.root);
    this.root.hidden = true;
    this.forgotten = forgotten;
    const $ = (s) => this.root.querySelector(s);
    this.words = $('.words');
    this.title = $('.title');
    this.note = $('.note');
    this.said = $('.times');
    this.rates = [...this.root.querySelectorAll('[data-rate]')];
    this.keep = $('.keep');
    this.forget = $('.forget');
    this.sure = $('.sure');
    this.root.addEventListener('submit', (e) => { e.preventDefault(); this.set({}); });
    this.title.addEventListener('change', () => this.set({ title: this.title.value }));
    this.note.addEventListener('change', () => this.set({ note: this.note.value }));
    for (const b of this.rates) b.addEventListener('click', () => this.set({ rating: this.mark.rating === Number(b.dataset.rate) ? 0 : Number(b.dataset.rate) }));
    this.forget.addEventListener('click', () => this.ask(true));
    $('.no').addEventListener('click', () => this.ask(false));
    $('.yes').addEventListener('click', () => this.drop());
  }

  // show shows the mark of a board, {family, text}.
  async show(board) {
    this.board = { family: board.family, text: board.text };
    const mine = this.board;
    try {
      if (!(await games()).keeps) return;
      const mark = await post('api/marked', mine);
      if (mine !== this.board) return;
      this.take(mark);
      this.words.open = !!(mark.title || mark.note);
    } catch (e) {
      if (mine === this.board) this.say(e.message);
    }
  }

  hide() {
    this.board = null;
    this.root.hidden = true;
  }

  say(text) { this.said.textContent = text; }

  take(mark) {
    this.mark = mark;
    this.root.hidden = false;
    this.ask(false);
    if (document.activeElement !== this.title) this.title.value = mark.title;
    if (document.activeElement !== this.note) this.note.value = mark.note;
    for (const b of this.rates) b.setAttribute('aria-pressed', mark.rating === Number(b.dataset.rate));
    this.keep.hidden = mark.id !== 0;
    this.forget.hidden = mark.id === 0;
    const solved = mark.wins ? `, solved by hand ${mark.wins === 1 ? 'once' : plural(mark.wins, 'time')}` : '';
    this.say(mark.id === 0 ? 'not kept' : `${mark.plays ? `played ${plural(mark.plays, 'time')}` : 'never played'}${solved}`);
  }

  // inTurn asks after everything that was asked before has been answered: two
  // answers that overtake each other would show the older mark.
  inTurn(ask) {
    const turn = (this.turn ?? Promise.resolve()).then(ask);
    this.turn = turn.catch(() => {}); // the caller is told; the next one's turn comes
    return turn;
  }

  // set keeps the board, with what is new of its mark.
  async set(news) {
    const mine = this.board;
    if (!mine) return;
    try {
      const mark = await this.inTurn(() => post('api/mark', { ...mine, ...news }));
      if (mine === this.board) this.take(mark);
    } catch (e) {
      if (mine === this.board) this.say(e.message);
    }
  }

  // played counts an answer that was entered by hand.
  async played(strokes, again) {
    const mine = this.board;
    if (!mine || !(await games()).keeps) return;
    const mark = await this.inTurn(() => post('api/played', { ...mine, strokes, again }));
    if (mine === this.board) this.take(mark);
  }

  ask(sure) {
    this.sure.hidden = !sure;
    this.forget.disabled = sure;
    if (sure) this.sure.querySelector('.no').focus();
  }

  async drop() {
    try {
      await post('api/forget', { id: this.mark.id });
      this.forgotten?.(this.mark.id);
      if (this.board) this.show(this.board);
    } catch (e) {
      this.say(e.message);
    }
  }
}
