// Edit: boards drawn by hand while the solver looks on. The server knows what
// the tools do; undoing is a list of boards.

import { post, stream, games, link, aborted } from './api.js';
import { ProgressBar, Card, shareMenu, verdict } from './card.js';
import { fields } from './fields.js';
import { show, rings, make, arrows, toward, where } from './svg.js';
import * as play from './play.js';

const $ = (id) => document.getElementById(id);
const canvas = $('edit-canvas');

const state = {
  board: null, // as the server gave it
  steps: [], at: -1, // what was drawn, {family, text} each, and where in it we are
  tool: '', values: {}, // by tool
  grip: null, // the side of the board that is dragged, {name, along, way, from, by}
  first: null, // the first place of a tool that takes two
  told: null, // the place of which it is said what stands there
  cursor: null, // the place that the keyboard is at
  judged: null, // what the solver said: {answer, count, none, why}
  right: null, // of a board that is put right over its picture: what draws that
  abort: null,
  busy: Promise.resolve(), queued: 0, // edits are done one after another
};
const progress = new ProgressBar($('edit-progress'), () => stopJudging('not judged'));

export function hide() {
  stopJudging();
  state.right?.left();
  trying(false);
  state.right = null;
}

// openDraft edits a board over its picture, as its hooks draw that; null: there is none yet.
export function openDraft(board, hooks) {
  const other = board && (state.board?.family !== board.family || !state.steps.length);
  if (other) Object.assign(state, { steps: [], at: -1 }); // it would be undone under its picture
  Object.assign(state, { right: hooks, first: null, cursor: null, judged: null }); // what was said is of another board
  hooks.shown();
  if (!board) {
    location.hash = '#edit';
    return state.busy;
  }
  const done = enqueue(async () => take(board, true));
  location.hash = link('edit', board);
  return done;
}

// change puts what act makes of the board in its place, when all before is done.
export function change(act) {
  return enqueue(async () => {
    const board = await act(state.board);
    state.judged = null;
    take(board, true);
  });
}
export const idle = () => state.busy;
export function redraw() { if (state.board) draw(); }

// show_ goes on where we are, or were before the page was loaded anew; trouble is what the address lacks.
export function show_(_, trouble) {
  if (!state.board) enqueue(async () => take(await former(), true));
  if (trouble) enqueue(() => { throw new Error(trouble); });
}
export { show_ as show };

export function showBoard(board) {
  if (state.board && state.board.text === board.text && state.board.family === board.family) return;
  return open(board);
}

// open shows a board, {family, text}, or a new one, {family, cols, rows}. Where there was none and
// it is refused, there is one to go on with.
function open(ask) {
  return enqueue(async () => {
    let trouble = null, got = null;
    try { got = await post('api/edit', ask); } catch (e) { trouble = e; }
    if (!state.board) remember();
    if (!got && !state.board) got = await former();
    if (got) take(got, true);
    if (trouble) throw trouble;
  });
}

// remember takes up what was drawn before the page was loaded anew.
function remember() {
  try {
    const { steps, at } = JSON.parse(sessionStorage.edit);
    if (steps[at]) Object.assign(state, { steps, at });
  } catch { /* nothing was */ }
}

// former is the board that was the last then, or a new one.
async function former() {
  remember();
  return post('api/edit', state.steps[state.at] ?? await blank());
}

// SIDE is the width and height of a new board, in cells.
const SIDE = 4;

async function blank() {
  const family = $('edit-family').value || (await games()).families.find((f) => f.edits).name;
  return { family, cols: SIDE, rows: SIDE };
}

const fresh = async () => open(await blank());

// erase leaves a board of the same size with nothing on it.
function erase() {
  if (!state.board) return;
  const size = Object.fromEntries(state.board.tools.find((t) => t.name === 'board').fields.map((f) => [f.name, Number(f.value)]));
  open({ family: state.board.family, cols: size.cols || SIDE, rows: size.rows || SIDE });
}

// enqueue does one thing after the other; what fails is said.
function enqueue(act) {
  state.queued++;
  state.busy = state.busy.then(async () => {
    $('edit-trouble').textContent = '';
    try { await act(); } catch (e) { $('edit-trouble').textContent = e.message; }
    state.queued--;
  });
  return state.busy;
}

function say(text, kind) {
  $('edit-verdict').textContent = text;
  $('edit-verdict').className = `verdict ${kind}`;
}

// take shows a board; keep makes it a step that can be undone.
function take(board, keep) {
  const now = state.steps[state.at], { family, text } = board;
  if (state.board?.family !== family) Object.assign(state, { tool: '', values: {}, first: null, cursor: null, told: null });
  state.board = board;
  if (keep && (now?.text !== text || now.family !== family)) state.steps.splice(++state.at, Infinity, { family, text });
  try {
    sessionStorage.edit = JSON.stringify({ steps: state.steps, at: state.at });
  } catch { /* a long one is not kept over a reload */ }
  if ($('edit-try').checked) play.showBoard(board, 'edit');
  $('edit-family').value = board.family;
  history.replaceState(null, '', link('edit', board));
  $('edit-text').textContent = board.text;
  $('edit-undo').disabled = state.at <= 0;
  $('edit-redo').disabled = state.at >= state.steps.length - 1;
  const done = state.at - 1 - state.steps.slice(0, state.at).findLastIndex((s) => s.family !== family); // since there are boards of the family
  $('edit-count').textContent = done > 0 ? `step ${done}` : '';
  const told = state.told && board.places.find((p) => same2(p.at, state.told));
  if (!state.first) $('edit-at').textContent = told ? describe(told) : '';
  if (!board.tools.some((t) => t.name === state.tool && t.takes)) state.tool = board.tools.find((t) => t.takes)?.name ?? '';
  if (state.cursor) state.cursor = allowed().find((p) => same2(p.at, state.cursor.at)) ?? null;
  showTools();
  actions();
  draw();
  // A board that is changed again at once is not judged.
  if (state.queued > 1) return unjudged();
  judge();
}

const same2 = (a, b) => a[0] === b[0] && a[1] === b[1];
const tool = () => state.board.tools.find((t) => t.name === state.tool);
const allowed = () => (tool() ? state.board.places.filter((p) => tool().on.includes(p.kind)) : []);

function actions() {
  const board = { family: state.board.family, text: state.board.text };
  $('edit-actions').replaceChildren(
    ...Card.links(board, 'edit'),
    shareMenu(() => ({ ...board, strokes: $('edit-show').checked ? state.judged?.answer?.strokes ?? [] : [] })));
}

function showTools() {
  const board = state.board.tools.find((t) => t.name === 'board');
  const focused = document.activeElement?.dataset?.field;
  $('edit-board-title').textContent = board.label;
  // Which side grows is told by dragging it.
  const values = fields($('edit-board'), board.fields.filter((f) => !f.stays), {}, () => apply('board', [], { ...values }));
  if (focused) $('edit-board').querySelector(`[data-field="${focused}"]`)?.focus();
  const names = state.board.tools.filter((t) => t.name !== 'board').map((t) => t.name).join();
  if ($('edit-tools').dataset.names !== names) {
    $('edit-tools').dataset.names = names;
    $('edit-tools').replaceChildren(...state.board.tools.filter((t) => t.name !== 'board').map((t) => {
      const b = Object.assign(document.createElement('button'), { type: 'button', title: t.doc });
      b.dataset.tool = t.name;
      const mark = document.createElement('b');
      mark.textContent = t.mark;
      mark.setAttribute('aria-hidden', 'true');
      b.append(mark, t.label);
      b.addEventListener('click', (e) => (t.takes ? pick(t.name) : apply(t.name, [], state.values[t.name] ?? {}, e.shiftKey ? back[t.name] : [])));
      return b;
    }));
  }
  showTool();
}

function pick(name) {
  if ($('edit-try').checked) trying(false);
  state.tool = name;
  state.first = null;
  state.cursor = null;
  showTool();
  draw();
}

function showTool() {
  for (const b of $('edit-tools').children) {
    const t = state.board.tools.find((t) => t.name === b.dataset.tool);
    if (t.takes) b.setAttribute('aria-pressed', t.name === state.tool);
  }
  const t = tool();
  canvas.classList.toggle('drag', t?.takes === 2);
  $('edit-doc').textContent = t ? `${t.label}: ${t.doc}${t.takes === 2 ? '; drag, or choose one after the other' : ''}` : '';
  // Fields of tools that take no place are shown with the tool that is chosen.
  const lists = state.board.tools.filter((t) => t.name !== 'board' && (t.name === state.tool || !t.takes));
  // Fields that stay as they are stay where they are, with the focus in them.
  const key = JSON.stringify(lists.map((l) => [l.name, l.fields]));
  if (state.fields?.key === key && state.fields.values === state.values) return;
  state.fields = { key, values: state.values };
  $('edit-fields').replaceChildren(...lists.map((t) => {
    const box = document.createElement('div');
    box.className = 'fields';
    const known = (state.values[t.name] ??= {});
    for (const f of t.fields) if (!t.takes || (f.kind === 'choice' && !f.choices.includes(known[f.name]))) delete known[f.name];
    fields(box, t.fields, known);
    return box;
  }));
}

// back is what comes before a tool that is to go the other way.
const back = { turn: ['turn', 'turn'], flip: ['turn', 'turn'] };

function apply(name, at, values, before = []) {
  return enqueue(async () => {
    let board = state.board;
    for (const tool of [...(before ?? []), name]) board = await post('api/edit', { family: board.family, text: board.text, tool, at, values });
    take(board, true);
  });
}

// MOST is how often a tool is put to a place at most until all is as before.
const MOST = 12;

// countBack leaves what one more use of the tool would make into what stands there.
function countBack(name, at, values) {
  return enqueue(async () => {
    const { family, text } = state.board, seen = [];
    for (let next = { family, text }; seen.length < MOST && (!seen.length || next.text !== text);) {
      next = await post('api/edit', { family, text: next.text, tool: name, at, values });
      seen.push(next);
    }
    take(seen.at(-1).text === text && seen.at(-2) || seen[0], true); // what does not come back is used once
  });
}

// Judging ----------------------------------------------------------------------

function stopJudging(words) {
  state.abort?.abort();
  state.abort = null;
  progress.stop();
  if (words) say(words, 'warn');
}

// unjudged takes back what was said of the board before.
function unjudged(words = 'solving…') {
  stopJudging('');
  state.judged = {};
  $('edit-why').textContent = '';
  say(words, 'wait');
}

async function judge() {
  unjudged();
  const abort = (state.abort = new AbortController());
  progress.start();
  const board = { family: state.board.family, text: state.board.text };
  try {
    await stream('api/solve', board, abort.signal, (line) => {
      if (state.abort !== abort) return;
      const j = state.judged;
      switch (line.kind) {
        case 'progress': progress.line = line; break;
        case 'answer': j.answer = line; say('has an answer', 'good'); if ($('edit-show').checked) draw(); break;
        case 'count':
          j.count = line;
          say(line.atLeast && (line.groups ?? line.count) > 1 ? 'more than one answer' : verdict(line), 'good');
          break;
        case 'none':
          j.none = true;
          if (state.right?.doubts()) say('no answer as it stands: places are in doubt', 'warn');
          else say('no answer', 'bad');
          break;
        case 'why': $('edit-why').textContent = line.why; j.where = line.where; draw(); break;
      }
    });
  } catch (e) {
    if (!aborted(e) && state.abort === abort) say(e.message, 'bad');
  }
  if (state.abort === abort) stopJudging();
}

// Drawing ------------------------------------------------------------------------

function draw() {
  const answer = $('edit-show').checked && state.judged?.answer;
  const svg = show(canvas, answer ? answer.svg : state.board.svg, `${state.board.family} board`);
  if (!svg) return;
  svg.setAttribute('aria-hidden', 'true'); // the canvas says what there is
  svg.removeAttribute('role');
  state.right?.drawn(svg, state.board);
  rings(svg, state.judged?.where);
  const mark = (p, more) => {
    for (const c of ['cursor under', `cursor ${more}`]) svg.append(make('circle', { cx: p.shown[0], cy: p.shown[1], r: 0.55, class: c }));
  };
  if (state.first) mark(state.first, 'first');
  if (state.cursor && document.activeElement === canvas) mark(state.cursor, '');
  for (const { at: [x, y], along, unit, name } of grips()) {
    const [w, h] = along ? [7 * unit, 1.6 * unit] : [1.6 * unit, 7 * unit];
    svg.append(make('rect', { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 0.8 * unit, 'data-side': name, class: `grip ${along ? 'level' : ''}` }));
  }
}

// Sides ----------------------------------------------------------------------------

// grips are where the board's sides are dragged: [x, y] in the picture.
function grips() {
  if (state.right) return []; // its picture says how large it is
  const by = new Map(state.board.tools.find((t) => t.name === 'board').fields.map((f) => [f.name, f]));
  const places = state.board.places;
  const box = canvas.querySelector('svg')?.viewBox.baseVal;
  if (!box || !by.has('cols') || !places.length || places.some((p) => !same2(p.at, p.shown))) return [];
  const unit = Math.max(box.width, box.height) / 60;
  const [left, top, right, bottom] = [box.x + unit, box.y + unit, box.x + box.width - unit, box.y + box.height - unit];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const list = [
    { name: 'right', at: [right, y], unit, field: 'cols', way: 1, grows: 'right and bottom' },
    { name: 'bottom', at: [x, bottom], unit, along: true, field: 'rows', way: 1, grows: 'right and bottom' },
    { name: 'left', at: [left, y], unit, field: 'cols', way: -1, grows: 'left and bottom' },
    { name: 'top', at: [x, top], unit, along: true, field: 'rows', way: -1, grows: 'right and top' },
  ];
  return list.slice(0, by.has('grows') ? 4 : 2);
}

// dragged shows how large the board will be.
function dragged(e) {
  const g = state.grip, k = g.along ? 1 : 0;
  g.by = Math.round((g.way * (where(canvas, e)[k] - g.at[k])) / 2);
  const f = state.board.tools.find((t) => t.name === 'board').fields.find((f) => f.name === g.field);
  g.to = Math.min(Math.max(Number(f.value) + g.by, f.least), f.most);
  $('edit-at').textContent = `${g.to} ${f.label}`;
  outline(g, 2 * (g.to - Number(f.value)));
}

// outline shows round the board how large it will be: so much more, in half-cells.
function outline(g, more) {
  const svg = canvas.querySelector('svg'), { x, y, width, height } = svg.viewBox.baseVal;
  const [w, h] = g.along ? [0, more] : [more, 0];
  canvas.querySelector('.sized')?.remove();
  svg.style.overflow = 'visible';
  svg.append(make('rect', { x: x - (g.way < 0 ? w : 0), y: y - (g.way < 0 ? h : 0), width: width + w, height: height + h, class: 'sized' }));
}

function resized() {
  const g = state.grip, values = {};
  state.grip = null;
  draw();
  const own = state.board.tools.find((t) => t.name === 'board').fields;
  for (const f of own) values[f.name] = f.value;
  if (!g.to || Number(values[g.field]) === g.to) return;
  values[g.field] = String(g.to);
  if ('grows' in values) values.grows = g.grows;
  apply('board', [], values);
}

const describe = (p) => `${p.name}: ${p.says || 'empty'}`;

// use puts the tool to a place: at once, or after the second of two.
function use(p, backwards) {
  const t = tool();
  state.told = p.at;
  if (t.takes === 1) return (backwards ? countBack : apply)(t.name, [p.at], state.values[t.name] ?? {});
  if (!state.first) {
    state.first = p;
    $('edit-at').textContent = `from ${describe(p)}; now the second place`;
    draw();
    return undefined;
  }
  const at = [state.first.at, p.at];
  state.first = null;
  return apply(t.name, at, state.values[t.name] ?? {});
}

function tell(p) {
  state.told = p.at;
  $('edit-at').textContent = describe(p);
}

// under is the place nearest to a pointer among those that the tool goes on, or others.
function under(e, list = allowed()) {
  if (!canvas.querySelector('svg')) return null;
  const [x, y] = where(canvas, e);
  let best = null;
  for (const p of list) {
    const far = Math.hypot(p.shown[0] - x, p.shown[1] - y);
    if (far < 1 && (!best || far < best.far)) best = { far, p };
  }
  return best?.p;
}

// filled is the place under a pointer at which something stands.
const filled = (e) => under(e, state.board.places.filter((p) => p.says));

const LONG = 500; // ms that a finger rests on what it clears
let pressed = null, over = null, rests = 0;
canvas.addEventListener('pointerdown', (e) => {
  if (e.button !== 0 || !state.board || !canvas.querySelector('svg')) return;
  const [x, y] = where(canvas, e);
  state.grip = grips().find((g) => Math.abs(g.at[0] - x) < (g.along ? 4.5 : 2) * g.unit && Math.abs(g.at[1] - y) < (g.along ? 2 : 4.5) * g.unit) ?? null;
  if (state.grip) {
    canvas.setPointerCapture(e.pointerId);
    return;
  }
  pressed = under(e);
  clearTimeout(rests);
  if (e.pointerType === 'touch') {
    rests = setTimeout(() => {
      pressed = null;
      const p = filled(e);
      if (p) clear(p);
    }, LONG);
  }
});
// A finger on a side drags it, and not the page: what is drawn has no touch-action of its own.
canvas.addEventListener('touchstart', (e) => { if (state.grip) e.preventDefault(); }, { passive: false });
canvas.addEventListener('pointermove', (e) => {
  over = e;
  if (state.grip) dragged(e);
});
for (const type of ['pointercancel', 'pointerleave']) canvas.addEventListener(type, () => { clearTimeout(rests); over = null; });
canvas.addEventListener('pointercancel', () => { state.grip = null; if (state.board) draw(); });
canvas.addEventListener('pointerup', (e) => {
  clearTimeout(rests);
  if (state.grip) {
    resized();
    return;
  }
  const p = pressed && under(e);
  const from = pressed;
  pressed = null;
  if (!p || e.button !== 0) return;
  state.cursor = p;
  if (tool().takes === 2 && !state.first && !same2(from.at, p.at)) {
    state.first = from;
    use(p);
  } else if (same2(from.at, p.at)) use(p, e.shiftKey);
});
canvas.addEventListener('contextmenu', (e) => {
  e.preventDefault();
  const p = e.pointerType !== 'touch' && state.board && filled(e); // a finger that rests has cleared it
  if (p) clear(p);
  else drop();
});

// drop forgets the first of two places.
function drop() {
  if (!state.first) return;
  state.first = null;
  $('edit-at').textContent = '';
  draw();
}

function clear(p) {
  drop();
  state.told = p.at;
  const t = state.board.tools.find((t) => t.name === 'clear');
  if (t?.on.includes(p.kind)) apply('clear', [p.at], {});
}

// recolour gives the tool, and what stands under the pointer or the cursor, a colour by its number.
function recolour(n) {
  const t = state.board.tools.find((t) => t.name === 'colour');
  const colour = t?.fields[0].choices[n];
  if (!colour) return;
  for (const other of state.board.tools) if (other.fields.some((f) => f.name === 'colour')) (state.values[other.name] ??= {}).colour = colour;
  state.fields = null;
  showTool();
  const p = (over && filled(over)) || state.cursor;
  if (p) apply('colour', [p.at], { colour });
}

// Trying ---------------------------------------------------------------------------

// trying has the board played in the place where it is drawn.
function trying(on) {
  $('edit-try').checked = on;
  $('edit-play').hidden = !on;
  canvas.hidden = on;
  play.lend(on ? $('edit-play') : null);
  if (on && state.board) play.showBoard(state.board, 'edit');
}
$('edit-try').addEventListener('change', () => trying($('edit-try').checked));

function move(way) {
  state.cursor = state.cursor ? toward(allowed(), state.cursor, way) ?? state.cursor : allowed()[0];
  if (state.cursor) tell(state.cursor);
  draw();
}

canvas.addEventListener('focus', () => state.board && draw());
canvas.addEventListener('blur', () => state.board && draw());
canvas.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !state.board) return;
  if (arrows[e.key]) {
    e.preventDefault();
    move(arrows[e.key]);
  } else if (e.key === 'Enter' || e.key === ' ') {
    e.preventDefault();
    if (!state.cursor) move([1, 0]);
    else use(state.cursor, e.shiftKey);
  } else if (e.key === 'Delete' || e.key === 'Backspace') {
    e.preventDefault();
    if (state.cursor) clear(state.cursor);
  } else if (e.key === 'Escape') drop();
});

// Undoing --------------------------------------------------------------------------

export function step(by) {
  return enqueue(async () => {
    const to = state.at + by;
    if (to < 0 || to >= state.steps.length) return;
    const got = await post('api/edit', state.steps[to]);
    state.at = to;
    state.first = null;
    take(got, false);
  });
}

$('edit-undo').addEventListener('click', () => step(-1));
$('edit-redo').addEventListener('click', () => step(1));
addEventListener('keydown', (e) => {
  if (document.getElementById('edit').hidden ||  e.target.matches('textarea, input:not([type=checkbox], [type=color], [type=range])')) return;
  const key = e.key.toLowerCase();
  if (!e.ctrlKey && !e.metaKey && !e.altKey) {
    if (/^[0-9]$/.test(key) && state.board && !e.target.matches('select')) recolour((Number(key) + 9) % 10);
    return;
  }
  if (key !== 'z' && key !== 'y') return;
  e.preventDefault();
  step(key === 'y' || e.shiftKey ? 1 : -1);
});
$('edit-show').addEventListener('change', draw);
$('edit-new').addEventListener('click', fresh);
$('edit-erase').addEventListener('click', erase);
$('edit-family').addEventListener('change', fresh);
games().then(({ families }) => {
  for (const f of families) if (f.edits) $('edit-family').append(new Option(f.name, f.name));
});
