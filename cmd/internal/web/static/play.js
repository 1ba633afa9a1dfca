// Play: an answer entered by hand. Lines are drawn with the tracing code of the
// practice Challenge; elsewhere one of several things is chosen at each place.

import { post, games, link, stream } from './api.js';
import { Card } from './card.js';
import { show as showPicture, rings, make, placeName, arrows, toward, where } from './svg.js';
import { settings } from './settings.js';
import { Sound } from './practice/sound.js';
import { Tracer, Board } from './practice/tracer.js';

const $ = (id) => document.getElementById(id);
const canvas = $('play-canvas');
// Widths of a line, of a break and of a cap, in cells, as the pictures have.
const LOOK = { line: 0.22, gap: 0.25, cap: 0.3 };
const REACH = 0.45; // cells from a start at which a press still takes it

const sound = new Sound();
function sounds() {
  sound.on = settings.sound;
  sound.volume = settings.volume;
  return sound;
}

const state = { won: false, board: null, lines: [], tracer: null, from: 0, chosen: [], at: 0, wrong: null, hint: null, grab: null };

export function show() { if (!state.board) deal(); }

// lend has what is played stand in another view, or in its own again.
const card = canvas.closest('.card');
export function lend(host) { (host ?? $('play')).append(card); }

export async function showBoard(board, view = 'play') {
  if (state.board?.text === board.text && state.board.family === board.family) return;
  try {
    const got = await post('api/play', board);
    Object.assign(state, { board: got, pair: -1, goal: null, lines: [], tracer: null, from: 0, chosen: (got.choices ?? []).map(() => 0), at: 0, wrong: null, hint: null, svg: got.svg, won: false });
    $('play-keys').textContent = got.lattice
      ? 'Drag from a start and let go in the end. By keyboard: Tab leaves, n takes the next start, Enter begins and hands in, arrow keys draw, Backspace drops the line.'
      : 'Press a place to change it. By keyboard: arrow keys go from place to place, Enter changes it, Backspace changes it back.';
    history.replaceState(null, '', link(view, got));
    $('play-actions').replaceChildren(...Card.links(got, 'play'));
    say('', '');
    $('play-at').textContent = '';
    draw();
  } catch (e) {
    state.board = null;
    canvas.replaceChildren();
    say(e.message, 'bad');
  }
}

// deal deals a small board at random.
async function deal() {
  const { families } = await games();
  const family = families.find((f) => f.deals).name;
  await stream('api/random', { family, cols: 4, rows: 4 }, undefined, (line) => line.kind === 'dealt' && showBoard({ family: line.family, text: line.text }));
}

function say(text, kind) {
  $('play-verdict').textContent = text;
  $('play-verdict').className = `verdict ${kind}`;
}

// Lines ----------------------------------------------------------------------------

const lattice = () => state.board?.lattice;

// starts lists where a line may begin, in half-cells of the lattice.
function starts() {
  const l = lattice();
  if (l.ends.length) return l.ends.flat();
  return l.spots.filter((s) => s.Start).map((s) => [s.X, s.Y]);
}

const same = (a, b) => a[0] === b[0] && a[1] === b[1];

// begin sets out from a start. Where several lines are drawn, the others and
// their ends are in the way.
function begin(start) {
  const l = lattice();
  const spots = new Map(l.spots.map((s) => [`${s.X},${s.Y}`, s]));
  const pair = l.ends.findIndex((e) => e.some((p) => same(p, start)));
  state.lines = state.lines.filter((line) => line.pair !== pair);
  const block = ([x, y]) => spots.set(`${x},${y}`, { X: x, Y: y, Gap: 2 });
  for (const line of state.lines) for (const p of line.nodes) block(p);
  l.ends.forEach((e, i) => i !== pair && e.forEach(block));
  const board = new Board({ ...l, spots: [...spots.values()] });
  state.tracer = new Tracer(board, start, LOOK);
  state.pair = pair;
  state.goal = pair < 0 ? null : l.ends[pair].find((p) => !same(p, start));
  state.wrong = state.hint = null;
  sounds().begin();
  say('', '');
  draw();
}

function moved(dx, dy) {
  lead(dx, dy);
  draw();
}

// lead carries the head, and stops it at the other end of its pair.
function lead(dx, dy) {
  const t = state.tracer;
  t.move(dx, dy);
  if (state.goal) {
    const i = t.nodes.findIndex(([x, y]) => same([2 * x, 2 * y], state.goal));
    if (i >= 0) {
      t.nodes.length = i + 1;
      t.dir = null;
      t.t = 0;
      finish();
    }
  }
}

function finish() {
  const t = state.tracer;
  state.tracer = null;
  state.lines.push({ pair: state.pair, nodes: t.nodes.map(([x, y]) => [2 * x, 2 * y]) });
  if (state.lines.length === lattice().ends.length) submit();
  else say(`${state.lines.length} of ${lattice().ends.length} lines`, '');
}

// half is a half-cell of the lattice as strokes have it.
function half([x, y]) {
  const l = lattice(), s = l.spots.find((s) => s.X === x && s.Y === y);
  return s?.As ?? [x + l.origin[0], y + l.origin[1]];
}

// strokes is what was entered so far.
function strokes() {
  if (!lattice()) return state.board.choices.flatMap((c, i) => c.ways[state.chosen[i]] ?? []);
  const drawn = state.lines.map((line) => {
    const [first] = line.pair < 0 ? [line.nodes[0]] : lattice().ends[line.pair];
    const nodes = same(line.nodes[0], first) ? line.nodes : [...line.nodes].reverse();
    return [...nodes.map(half), ...(line.tip ? [line.tip] : [])];
  });
  if (state.tracer) drawn.push(state.tracer.nodes.map(([x, y]) => half([2 * x, 2 * y])));
  return drawn;
}

// handIn ends a line in its cap.
function handIn() {
  const t = state.tracer, l = lattice();
  const stroke = t.stroke();
  state.lines = [{ pair: -1, nodes: stroke.slice(0, -1), cap: t.points(), tip: l.tip ? half(stroke.at(-1)) : null }];
  state.tracer = null;
  submit();
}

async function submit() {
  const board = state.board;
  try {
    const v = await post('api/check', { family: board.family, text: board.text, strokes: strokes() });
    if (board !== state.board) return;
    state.wrong = v.ok ? null : v;
    if (v.svg) state.svg = v.svg;
    say(v.ok ? 'right' : `not right: ${v.says}`, v.ok ? 'good' : 'bad');
    draw();
    tried(v.ok);
  } catch (e) {
    say(e.message, 'bad');
  }
}

// tried sounds for what was handed in: where things are chosen one by one, all but the last of
// them are no answers yet.
function tried(ok) {
  if (ok ? !state.won : lattice()) ok ? sounds().good() : sounds().bad();
  state.won ||= ok;
}

function drop() {
  if (state.tracer) state.tracer = null;
  else state.lines.pop();
  state.wrong = state.hint = null;
  say('', '');
  draw();
}

// Choices ----------------------------------------------------------------------------

async function change(i, by) {
  const c = state.board.choices[i];
  state.at = i;
  state.hint = null;
  state.chosen[i] = (state.chosen[i] + by + c.ways.length) % c.ways.length;
  tell(i);
  await submit();
}

function tell(i) {
  const c = state.board.choices[i];
  $('play-at').textContent = `${placeName(c.at)}: ${c.says[state.chosen[i]]}`;
}

// Hints ------------------------------------------------------------------------------

$('play-hint').addEventListener('click', async () => {
  if (!state.board) return;
  try {
    const entered = strokes();
    const h = await post('api/hint', { family: state.board.family, text: state.board.text, strokes: entered });
    state.hint = null;
    if (h.wrong) {
      say(h.sure ? 'no answer goes on from there: take something back' : 'no answer was found that goes on from there', 'warn');
      markWrong(entered, h.strokes);
    } else {
      markNext(entered, h.strokes);
    }
    draw();
  } catch (e) {
    say(e.message, 'bad');
  }
});

const key = (s) => JSON.stringify(s);

// markWrong rings a choice that the nearest answer does not have.
function markWrong(entered, answer) {
  const have = new Set(answer.map(key));
  const bad = entered.find((s) => !have.has(key(s)));
  if (!lattice() && bad) state.hint = { places: [shownAt(bad[0])] };
}

function shownAt(at) { return state.board.choices.find((c) => same(c.at, at))?.shown ?? at; }

// markNext shows the next step of an answer.
function markNext(entered, answer) {
  if (!lattice()) {
    const left = [...answer];
    for (const s of entered) left.splice(left.findIndex((o) => key(o) === key(s)), 1);
    if (!left.length) return say('that is an answer', 'good');
    state.hint = { places: [shownAt(left[0][0])] };
    return say('change the one in the ring', '');
  }
  for (const stroke of [...answer, ...answer.map((s) => [...s].reverse())]) {
    const e = entered.at(-1);
    if (state.tracer ? !e.every((p, i) => same(p, stroke[i])) : entered.some((o) => key(o) === key(stroke) || key([...o].reverse()) === key(stroke))) continue;
    const from = state.tracer ? e.length - 1 : 0;
    state.hint = { line: stroke.slice(from, from + 2) };
    return say('the next step is shown', '');
  }
  return undefined;
}

// Drawing ------------------------------------------------------------------------------

// onPicture is a point of the lattice, in cells, on the picture.
function onPicture([u, v]) {
  const [ox, oy] = lattice().origin;
  return [2 * u + ox, 2 * v + oy];
}

function polyline(svg, points, kind) {
  // On a pillar each leg is drawn where it begins, once more beyond the seam.
  const round = lattice()?.pillar ? 2 * lattice().cols : 0;
  const legs = round ? points.slice(1).map((p, i) => [points[i], p]) : [points];
  for (const leg of legs) {
    const turns = round ? Math.floor(Math.min(leg[0][0], leg.at(-1)[0]) / round) * round : 0;
    for (const extra of round ? [0, round] : [0]) {
      const at = leg.map(([x, y]) => [x - turns - extra, y]);
      if (extra && Math.max(at[0][0], at.at(-1)[0]) < 0) continue;
      svg.append(make('polyline', { points: at.map((p) => p.map((c) => c.toFixed(3)).join(',')).join(' '), class: kind }));
    }
  }
}

function line(svg, cells, kind) {
  const points = cells.map(onPicture);
  polyline(svg, points, 'traced edge'); // so that it is seen on any ground
  polyline(svg, points, kind);
  const round = lattice().pillar ? 2 * lattice().cols : 0;
  const [x, y] = points[0];
  svg.append(make('circle', { cx: round ? ((x % round) + round) % round : x, cy: y, r: 0.5, class: kind }));
}

function draw() {
  const svg = showPicture(canvas, state.svg, `${state.board.family} board`);
  if (!svg) return;
  svg.removeAttribute('role');
  svg.setAttribute('aria-hidden', 'true');
  const l = lattice();
  if (l) {
    const mirror = l.symmetry && new Board(l);
    const both = (points) => {
      if (mirror) line(svg, points.map(([x, y]) => mirror.image(2 * x, 2 * y).map((v) => v / 2)), 'traced second');
      line(svg, points, `traced${state.wrong ? ' wrong' : ''}`);
    };
    for (const done of state.lines) both(done.cap ?? done.nodes.map(([x, y]) => [x / 2, y / 2]));
    if (state.tracer) both(state.tracer.points());
    else if (canvas.matches(':focus-visible') && !state.lines.length) { // for the keyboard
      const s = starts()[state.from % Math.max(1, starts().length)];
      if (s) rings(svg, [onPicture([s[0] / 2, s[1] / 2])]);
    }
  } else if (document.activeElement === canvas && state.board.choices.length) {
    const [x, y] = state.board.choices[state.at].shown;
    for (const c of ['cursor under', 'cursor']) svg.append(make('circle', { cx: x, cy: y, r: 0.9, class: c }));
  }
  if (state.wrong?.at && (l || !state.board.choices)) rings(svg, state.wrong.at);
  if (state.hint?.line) polyline(svg, state.hint.line, 'hinted');
  rings(svg, state.hint?.places);
}

// What the player does ---------------------------------------------------------------

// grabbed is where the pointer and the head are as a drag begins, in cells: the
// head goes as far as the pointer, or so many times as far, wherever on the
// glass a finger rests.
function grabbed(x, y) { return { at: [x / 2, y / 2], was: [x / 2, y / 2], head: state.tracer?.head() ?? [0, 0] }; }

canvas.addEventListener('pointerdown', (e) => {
  if (e.button !== 0 || !state.board || !canvas.querySelector('svg')) return;
  const [x, y] = where(canvas, e);
  if (!lattice()) {
    const i = state.board.choices.findIndex((c) => Math.hypot(c.shown[0] - x, c.shown[1] - y) < 1);
    if (i >= 0) change(i, 1);
    return;
  }
  canvas.setPointerCapture(e.pointerId);
  const hit = starts().find((s) => {
    const [px, py] = onPicture([s[0] / 2, s[1] / 2]);
    return Math.hypot(px - x, py - y) < 2 * REACH;
  });
  if (hit && !(state.tracer && state.tracer.nodes.length > 1 && !lattice().ends.length)) {
    if (!lattice().ends.length) state.lines = [];
    begin(hit);
  }
  state.grab = grabbed(x, y);
});
canvas.addEventListener('pointermove', (e) => {
  if (!state.grab || !state.tracer) return;
  const to = where(canvas, e).map((w) => w / 2), { at, head, was } = state.grab;
  const speed = e.pointerType === 'touch' ? 1 : settings.speed;
  // A motion that comes in one piece leads round corners as it does in many.
  const parts = Math.max(1, Math.ceil(Math.hypot(to[0] - was[0], to[1] - was[1]) / 0.1));
  for (let i = 1; i <= parts && state.tracer; i++) {
    const h = state.tracer.head();
    lead(...h.map((now, k) => head[k] + speed * (was[k] + (to[k] - was[k]) * i / parts - at[k]) - now));
  }
  state.grab.was = to;
  draw();
});
canvas.addEventListener('pointerup', () => {
  state.grab = null;
  if (state.tracer?.inCap()) handIn();
});
canvas.addEventListener('contextmenu', (e) => {
  e.preventDefault();
  if (lattice()) drop();
});

// along carries the head to the next node, or as far as it goes.
function along([dx, dy]) {
  const t = state.tracer, [x, y] = t.head();
  const goal = [Math.round(x) + dx, Math.round(y) + dy];
  for (let i = 0; i < 40 && state.tracer === t; i++) {
    const [hx, hy] = t.head();
    const left = Math.abs((goal[0] - hx) * dx + (goal[1] - hy) * dy);
    if (left < 1e-4) break;
    moved(dx * Math.min(left, 0.2), dy * Math.min(left, 0.2));
    const [nx, ny] = t.head();
    if (Math.hypot(nx - hx, ny - hy) < 1e-5) break;
  }
  if (state.tracer) $('play-at').textContent = `the line is at ${placeName(half(t.head().map((v) => Math.round(2 * v))))}${t.inCap() ? ', in an end: Enter hands it in' : ''}`;
}

function nearest(way) {
  const list = state.board.choices, to = toward(list, list[state.at], way);
  if (to) state.at = list.indexOf(to);
  tell(state.at);
  draw();
}

canvas.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !state.board) return;
  const way = arrows[e.key], enter = e.key === 'Enter' || e.key === ' ';
  const l = lattice();
  if (way || enter || e.key === 'Backspace') e.preventDefault();
  if (!l) {
    if (!state.board.choices.length) return;
    if (way) nearest(way);
    else if (enter) change(state.at, 1);
    else if (e.key === 'Backspace') change(state.at, -1);
    return;
  }
  if (e.key === 'n' && !state.tracer) {
    state.from++;
    const s = starts()[state.from % starts().length];
    $('play-at').textContent = `start at ${placeName(half(s))}`;
    draw();
  } else if (way && state.tracer) along(way);
  else if (e.key === 'Backspace') drop();
  else if (enter && state.tracer?.inCap()) handIn();
  else if (enter && !state.tracer && starts().length) {
    if (!l.ends.length) state.lines = [];
    begin(starts()[state.from % starts().length]);
  }
});
for (const type of ['focus', 'blur']) canvas.addEventListener(type, () => state.board && draw());
$('play-another').addEventListener('click', deal);
$('play-drop').addEventListener('click', () => {
  if (!state.board) return;
  if (lattice()) return drop();
  state.chosen.fill(0);
  submit();
});
