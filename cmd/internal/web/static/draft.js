// Draft: a board that was not read opens in the editor, laid over its picture, and is put right
// there: its corners are dragged, its family and size chosen, and places in doubt clicked through.

import { post, games } from './api.js';
import { make } from './svg.js';
import * as edit from './edit.js';

const $ = (id) => document.getElementById(id);
const picture = $('draft-picture'), canvas = $('edit-canvas');

// state is null while there is no draft.
let state = null;
export const current = () => state;

// begin opens a picture: seen is what a look gave, board the one of it that is put right, or
// null where a box is drawn first. done is called with what it is then.
export async function begin(file, url, seen, board, done) {
  state = { file, url, seen, done, quad: board?.quad ?? null, cols: board?.cols ?? 0, rows: board?.rows ?? 0, goal: '', drag: null, turn: 0 };
  const likely = board ? [board.family, ...seen.boards.map((b) => b.family)] : [];
  const { families } = await games();
  const names = [...new Set([...likely, ...families.map((f) => f.name)])].filter((n) => families.find((f) => f.name === n)?.edits);
  $('draft-family').replaceChildren(...names.map((n) => new Option(n, n)));
  $('draft-img').src = url;
  picture.style.maxWidth = `max(15rem, calc(45vh * ${seen.width / seen.height}))`; // a long page is scrolled
  over();
  $('draft').classList.toggle('lost', !board);
  $('draft-choices').replaceChildren();
  edit.openDraft(null, hooks);
  if (state.quad) ask();
  else say('Choose the family, and draw a box round the board.');
}

// resume goes on with a draft that was solved.
export function resume() { edit.openDraft(state.board, hooks); }

function say(words, bad) {
  $('draft-said').textContent = words;
  $('draft-said').className = bad ? 'trouble' : 'soft';
}

// ask has the server look once more, with what is known now.
async function ask() {
  const mine = ++state.turn;
  say('looking…');
  const of = { family: $('draft-family').value, quad: state.quad, cols: state.cols, rows: state.rows };
  try {
    const d = await post(`api/draft?of=${encodeURIComponent(JSON.stringify(of))}`, state.file);
    if (mine !== state?.turn) return;
    Object.assign(state, { of: d, board: d, quad: d.quad, cols: d.cols, rows: d.rows, touched: new Set() });
    $('draft-cols').value = d.cols;
    $('draft-rows').value = d.rows;
    $('draft-goal').replaceChildren(...d.goals.map((g) => new Option(g, g, false, g === state.goal)));
    $('draft-goal').parentElement.hidden = !d.goals.length;
    over();
    $('draft').classList.remove('lost');
    edit.openDraft(d, hooks);
    told();
  } catch (e) {
    if (mine === state?.turn) say(e.message, true);
  }
}

// open are the rings that nobody looked at yet.
const open = () => state.of.rings.filter((r) => !state.touched.has(key(r.at)));
const key = (at) => at.join();

function told() {
  const n = open().length;
  if (!state.of.why) say('It is read with this outline. Compare it, and solve it.');
  else if (n) say(`${n === 1 ? 'One place is' : `${n} places are`} in doubt. Say what stands in the red ring, or click on any ring until the picture and the board agree. What looks like it goes along.`);
  else say('Nothing is in doubt any more: compare it, and solve it.');
  choices(open()[0]);
}

// CHOICES is how many guesses are offered as words.
const CHOICES = 14;

// choices offers what may stand in a ring.
function choices(ring) {
  const now = ring && state.board.places.find((p) => key(p.at) === key(ring.at))?.says;
  $('draft-choices').replaceChildren(...(ring?.guesses.length > 1 ? ring.guesses.slice(0, CHOICES) : []).map((g) => {
    const b = Object.assign(document.createElement('button'), { type: 'button', textContent: g.says.replace(/#[0-9a-f]{6} /, '') || 'nothing' });
    b.setAttribute('aria-pressed', g.says === now);
    b.addEventListener('click', () => put(ring, () => g));
    return b;
  }));
}

// The picture --------------------------------------------------------------------

// over draws the outline with its corners.
function over() {
  const { width, height } = state.seen, r = Math.max(width, height) / 60;
  const svg = $('draft-over');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.replaceChildren();
  if (!state.quad) return;
  const points = state.quad.map((p) => p.join(',')).join(' ');
  for (const c of ['under', 'outline']) svg.append(make('polygon', { points, class: c, 'stroke-width': r / (c === 'under' ? 3 : 6) }));
  for (const [x, y] of state.quad) svg.append(make('circle', { cx: x, cy: y, r, class: 'corner', 'stroke-width': r / 6 }));
}

// at is where a pointer is in the picture.
function at(e) {
  const p = new DOMPoint(e.clientX, e.clientY).matrixTransform($('draft-over').getScreenCTM().inverse());
  return [Math.max(0, Math.min(state.seen.width - 1, p.x)), Math.max(0, Math.min(state.seen.height - 1, p.y))];
}

picture.addEventListener('pointerdown', (e) => {
  if (!state || e.button !== 0) return;
  e.preventDefault();
  picture.setPointerCapture(e.pointerId);
  const p = at(e), near = Math.max(state.seen.width, state.seen.height) / 20;
  const far = (c) => Math.hypot(c[0] - p[0], c[1] - p[1]);
  const corner = state.quad ? [0, 1, 2, 3].sort((i, j) => far(state.quad[i]) - far(state.quad[j]))[0] : -1;
  state.drag = corner >= 0 && far(state.quad[corner]) < near ? { corner } : { from: p };
});
picture.addEventListener('pointermove', (e) => {
  if (!state?.drag) return;
  const [x, y] = at(e), { corner, from } = state.drag;
  state.drag.moved = true;
  if (from) state.quad = box(from, [x, y]);
  else state.quad = state.quad.map((p, i) => (i === corner ? [x, y] : p));
  over();
});
picture.addEventListener('pointerup', () => {
  const drag = state?.drag;
  if (!drag) return;
  state.drag = null;
  if (!drag.moved) return;
  if (drag.from) Object.assign(state, { cols: 0, rows: 0 }); // as many as are seen
  ask();
});

const box = ([a, b], [c, d]) => {
  const [l, r, t, u] = [Math.min(a, c), Math.max(a, c), Math.min(b, d), Math.max(b, d)];
  return [[l, t], [r, t], [r, u], [l, u]];
};

for (const id of ['draft-cols', 'draft-rows']) {
  $(id).addEventListener('change', () => {
    if (!state?.quad || !$(id).reportValidity()) return;
    Object.assign(state, { cols: Number($('draft-cols').value), rows: Number($('draft-rows').value) });
    ask();
  });
}
// Of another family another board may have been found, here or in all of the picture.
$('draft-family').addEventListener('change', () => {
  if (!state) return;
  const { width, height } = state.seen, found = state.seen.boards.find((b) => b.family === $('draft-family').value);
  if (!state.quad && !found) return;
  Object.assign(state, { quad: found?.quad ?? box([0, 0], [width, height]), cols: found?.cols ?? 0, rows: found?.rows ?? 0 });
  ask();
});
$('draft-goal').addEventListener('change', () => { state.goal = $('draft-goal').value; });
$('draft-show').addEventListener('input', () => edit.redraw());

// The board -----------------------------------------------------------------------

// hooks are what the editor asks of a draft.
const hooks = {
  // drawn lays the straightened picture over the board, and rings what is in doubt.
  drawn(svg, board) {
    if (!state.of) return;
    state.board = board;
    const a = board.places[0], x = board.places.find((p) => p.at[0] !== a.at[0]), y = board.places.find((p) => p.at[1] !== a.at[1]);
    const unit = x ? (x.shown[0] - a.shown[0]) / (x.at[0] - a.at[0]) : (y.shown[1] - a.shown[1]) / (y.at[1] - a.at[1]);
    const { flat, pitch, wide, high } = state.of, pixel = 2 * unit / pitch;
    svg.append(make('image', {
      href: flat, x: a.shown[0] - (a.at[0] + 2) * unit, y: a.shown[1] - (a.at[1] + 2) * unit, width: wide * pixel, height: high * pixel,
      opacity: 1 - $('draft-show').value, preserveAspectRatio: 'none', 'pointer-events': 'none',
    }));
    const next = open()[0];
    for (const ring of [...state.of.rings].reverse()) {
      const p = board.places.find((p) => key(p.at) === key(ring.at));
      if (!p) continue;
      const more = ring === next ? ' next' : state.touched.has(key(ring.at)) ? ' done' : '';
      for (const c of ['doubt under', `doubt${more}`]) svg.append(make('circle', { cx: p.shown[0], cy: p.shown[1], r: 0.62, class: c }));
    }
  },
  doubts: () => open().length,
  // left: the editor is.
  left() { $('draft').hidden = true; },
  shown() { $('draft').hidden = false; },
};

// ringAt is the ring that a pointer is on.
function ringAt(e) {
  const svg = canvas.querySelector('svg');
  if ($('draft').hidden || !state?.of || !svg || e.button !== 0) return null;
  const q = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const far = (ring) => {
    const p = state.board.places.find((p) => key(p.at) === key(ring.at));
    return p ? Math.hypot(p.shown[0] - q.x, p.shown[1] - q.y) : Infinity;
  };
  const near = state.of.rings.filter((r) => r.guesses.length > 1 && far(r) < 0.8).sort((a, b) => far(a) - far(b));
  return near[0] ?? null;
}

let pressed = null;
canvas.addEventListener('pointerdown', (e) => {
  pressed = ringAt(e);
  if (pressed) e.stopImmediatePropagation();
}, { capture: true });
canvas.addEventListener('pointerup', (e) => {
  const ring = pressed;
  pressed = null;
  if (!ring) return;
  e.stopImmediatePropagation();
  if (ringAt(e) === ring) cycle(ring);
}, { capture: true });

// cycle makes a place its next guess.
function cycle(ring) {
  return put(ring, (now) => ring.guesses[(ring.guesses.findIndex((g) => g.says === now) + 1) % ring.guesses.length]);
}

// put makes a place what is chosen by what it is now, and those that look like it and that nobody
// touched.
function put(ring, choose) {
  return edit.change(async (board) => {
    const says = (at) => board.places.find((p) => key(p.at) === key(at))?.says ?? '';
    const guess = choose(says(ring.at));
    const along = ring.alike.filter((at) => key(at) === key(ring.at) || (says(at) === says(ring.at) && !state.touched.has(key(at))));
    state.touched.add(key(ring.at));
    const got = await post('api/put', { family: board.family, text: board.text, tool: guess.tool, values: guess.values ?? {}, says: guess.says, at: along });
    told();
    return got;
  });
}

// right is the board as it was put right, and where it lies.
async function right() {
  await edit.idle();
  const { board, of, seen } = state;
  return {
    family: board.family, text: board.text, cols: seen.width, rows: seen.height, goal: of.goals.length ? $('draft-goal').value : '',
    outline: { family: of.family, quad: of.quad, cols: of.cols, rows: of.rows },
  };
}

async function solve() {
  if (state?.of) state.done(await right());
}
$('draft-solve').addEventListener('click', solve);
$('draft-learn').addEventListener('submit', async (e) => {
  e.preventDefault();
  if (!state?.of) return;
  say('learning…');
  try {
    const of = { ...await right(), look: $('draft-look').value };
    say((await post(`api/learn?of=${encodeURIComponent(JSON.stringify(of))}`, state.file)).said);
  } catch (err) {
    say(err.message, true);
  }
});
addEventListener('keydown', (e) => {
  if (e.key !== 'Enter' || !state?.of || $('draft').hidden || $('edit').hidden || /^(INPUT|TEXTAREA|BUTTON|SELECT|A|SUMMARY)$/.test(e.target.tagName)) return;
  e.preventDefault();
  e.stopPropagation();
  solve();
}, { capture: true });
