// Solve: what is pasted, dropped or opened is solved at once.

import { stream, games, link, aborted } from './api.js';
import { Card } from './card.js';
import { Sight } from './sight.js';
import { EXAMPLE } from './example.js';
import * as draft from './draft.js';

const $ = (id) => document.getElementById(id);
const card = new Card($('solve-card')), second = new Card($('solve-second'));
const sight = new Sight($('solve-sight'), (board, other) => {
  source = 'picture';
  open([board], other);
}, (seen, board) => draft.begin(sight.file, sight.url, seen, board, laid));
let boards = [], door = null, at = 0, abort = null;
let source = ''; // where boards come from, for the store: a link into the page is nothing new

export function hide() { for (const c of [card, second]) c.cancel(); }

export function showBoard(board) {
  source = '';
  sight.clear();
  $('paste-text').value = board.text;
  open([board]);
}

// putRight opens a board of a frame that was not read as a draft.
export function putRight(file, seen, board) {
  sight.clear();
  Object.assign(sight, { file, url: URL.createObjectURL(file) });
  draft.begin(file, sight.url, seen, board, laid);
}

// laid shows a draft that was put right over its picture, and its answer.
async function laid(board) {
  location.hash = '#solve';
  begun();
  sight.frame(sight.url);
  const again = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Change it' });
  again.addEventListener('click', draft.resume);
  sight.list.append(again);
  try {
    await stream('api/lay', board, undefined, (line) => sight.take(line));
  } catch (e) {
    sight.say(e.message);
  }
}

// begun: what is solved takes the place of the help.
function begun() { $('solve-help').hidden = true; }

$('solve-example').addEventListener('click', () => {
  $('paste-text').value = EXAMPLE.text;
  solveText(EXAMPLE.text);
});

// open shows the first of a list, and where it is one of two doors the other under it.
function open(list, other = null) {
  begun();
  door = other;
  boards = list;
  at = 0;
  turn(0);
}

function turn(by) {
  at = Math.max(0, Math.min(boards.length - 1, at + by));
  $('solve-list').hidden = boards.length < 2;
  $('solve-at').textContent = `board ${at + 1} of ${boards.length}`;
  for (const b of $('solve-list').querySelectorAll('button')) b.disabled = !boards[at + Number(b.dataset.by)];
  const board = boards[at];
  if (board.error) {
    card.clear();
    complain(board.error);
    return;
  }
  for (const [name, place] of [['solve-place', board.place], ['solve-second-place', door?.place]]) {
    $(name).hidden = !place;
    $(name).textContent = { left: 'on the left', centre: 'in the centre', right: 'on the right' }[place] ?? place;
  }
  $('solve-out').classList.toggle('doors', Boolean(door?.place));
  history.replaceState(null, '', link('solve', board));
  card.show({ family: board.family, text: board.text }, source);
  card.said.dataset.place = board.place ?? '';
  second.said.dataset.place = door?.place ?? '';
  if (door) second.show({ family: door.family, text: door.text }, source);
  else second.clear();
}

function complain(text) {
  begun();
  card.root.hidden = false;
  $('solve-second-place').hidden = true;
  $('solve-out').classList.remove('doors');
  second.clear();
  card.board.replaceChildren();
  card.why.textContent = '';
  card.steps.hidden = card.moves.hidden = true;
  card.actions.replaceChildren();
  card.say(text, 'bad');
}

// solveText lists the boards of a text and shows the first.
export async function solveText(text) {
  source = 'page';
  sight.clear();
  abort?.abort();
  const mine = (abort = new AbortController());
  const list = [];
  boards = list;
  try {
    await stream('api/open', { text, family: $('paste-family').value }, mine.signal, (line) => {
      if (line.kind !== 'board') return;
      list.push(line);
      if (list.length === 1) open(list);
      else if (list.length === 2) turn(0);
    });
    if (list.length > 1) {
      $('solve-at').textContent = `board ${at + 1} of ${list.length}`;
      for (const b of $('solve-list').querySelectorAll('button')) b.disabled = !list[at + Number(b.dataset.by)];
    }
    if (!list.length) complain('there is no board in it');
  } catch (e) {
    if (!aborted(e)) complain(e.message);
  }
}

// take solves what came from a file, the clipboard or a drag.
export async function take(file) {
  if (file.type.startsWith('image/')) {
    begun();
    for (const c of [card, second]) c.clear();
    boards = [];
    for (const name of ['solve-place', 'solve-second-place']) $(name).hidden = true;
    $('solve-out').classList.remove('doors');
    $('solve-list').hidden = true;
    await sight.look(file);
    return;
  }
  if (file.size > 8 << 20) {
    complain(`${file.name}: more than 8 MB of text`);
    return;
  }
  const text = await file.text();
  $('paste-text').value = text.length < 20000 ? text : '';
  await solveText(text);
}

$('paste').addEventListener('submit', (e) => {
  e.preventDefault();
  solveText($('paste-text').value);
});
$('paste-text').addEventListener('paste', () => setTimeout(() => solveText($('paste-text').value)));
$('paste-text').addEventListener('keydown', (e) => {
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) $('paste').requestSubmit();
});
$('paste-file').addEventListener('change', async () => {
  for (const file of $('paste-file').files) await take(file);
  $('paste-file').value = '';
});
for (const b of $('solve-list').querySelectorAll('button')) b.addEventListener('click', () => turn(Number(b.dataset.by)));

games().then(({ families }) => {
  for (const f of families) $('paste-family').append(new Option(f.name, f.name));
});
