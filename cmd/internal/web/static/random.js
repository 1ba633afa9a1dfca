// Random: a board of a family and size that has an answer.

import { stream, games, link, aborted } from './api.js';
import { Card, plural } from './card.js';

const $ = (id) => document.getElementById(id);
const card = new Card($('random-card'));
let abort = null;

export function hide() {
  abort?.abort();
  card.cancel();
}

export function showBoard(board) { present(board, ''); }

// present shows a board; its answer is hidden until it is asked for.
function present(board, source) {
  $('random-help').hidden = true;
  card.show(board, source, true);
}

function said(text) { $('deal-said').textContent = text; }

$('deal').addEventListener('submit', async (e) => {
  e.preventDefault();
  abort?.abort();
  const mine = (abort = new AbortController());
  $('deal-stop').hidden = false;
  said('dealing…');
  try {
    const wish = { family: $('deal-family').value, cols: $('deal-cols').valueAsNumber, rows: $('deal-rows').valueAsNumber, seed: $('deal-seed').value.trim(), unique: $('deal-unique').checked, preset: $('deal-preset').value, wishes: wished() };
    await stream('api/random', wish, mine.signal, (line) => {
      if (line.kind === 'progress') said(`${plural(line.done, 'board')} dealt, none with exactly one answer yet`);
      if (line.kind !== 'dealt') return;
      said(`seed ${line.seed}${line.number > 1 ? `, board ${line.number} of it` : ''}`);
      const board = { family: line.family, text: line.text };
      history.replaceState(null, '', link('random', board));
      present(board, 'generated');
    });
  } catch (err) {
    said(aborted(err) ? 'stopped' : err.message);
  }
  if (abort === mine) $('deal-stop').hidden = true;
});
$('deal-stop').addEventListener('click', () => abort?.abort());

// wishes offers the family's presets, and what its boards may be asked for in place of
// one; what is left empty is dealt as it comes.
let known = [];
function wishes() {
  const { wishes: list, presets } = known.find((f) => f.name === $('deal-family').value);
  $('deal-sort').hidden = presets.length === 0;
  $('deal-preset').replaceChildren(new Option('any', ''), ...presets.map((p) => Object.assign(new Option(p.name, p.name), { title: p.doc })));
  $('deal-wishes').replaceChildren(...list.map((w) => {
    const label = document.createElement('label');
    const input = Object.assign(document.createElement('input'), { type: 'number', min: 0, max: w.most, placeholder: 'any' });
    input.dataset.wish = w.name;
    label.title = w.doc;
    label.append(`${w.label} `, input);
    return label;
  }));
}

function wished() {
  const out = {};
  for (const input of $('deal-wishes').querySelectorAll('input')) if (input.value !== '') out[input.dataset.wish] = input.valueAsNumber;
  return out;
}
$('deal-family').addEventListener('change', wishes);
$('deal-wishes').addEventListener('input', () => { $('deal-preset').value = ''; });
$('deal-preset').addEventListener('change', () => {
  for (const input of $('deal-wishes').querySelectorAll('input')) input.value = '';
});

games().then(({ families }) => {
  known = families;
  for (const f of families) if (f.deals) $('deal-family').append(new Option(f.name, f.name));
  wishes();
});
