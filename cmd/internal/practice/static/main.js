// The page: what is shown, what the player does, and what the server says.

import { Board } from './board.js';
import { Tracer } from './tracer.js';
import { inverse, pitch } from './view.js';
import { box } from './shapes.js';
import { kinds, looks } from './looks.js';
import { extent, views, rock, housing, board as drawBoard, trace as drawTrace, fill, random, margin } from './scene.js';
import { Sound } from './sound.js';

const $ = (id) => document.getElementById(id);
const scene = $('scene').getContext('2d', { alpha: false });
const live = $('live').getContext('2d');

const FADE = 700; // ms until a panel that came on is bright
const FOCUS = 420; // ms that the disc takes to shrink on the cursor
const WALK = 320; // ms from panel to panel
const COLUMN = 220; // ms to step round a pillar by a column
const BLINK = 900; // ms that a wrong line blinks

const state = {
  run: null, slot: 0, mode: 'title', // title, walk, solve, trace, checking, over
  look: looks[0], sens: 1, turn: 0, turnTo: 0,
  cursor: [0, 0], motion: [0, 0], keys: [], tracer: null, board: 0,
  boards: [], views: [], kind: null, place: null,
  seenAt: new Map(), // slot:deal → when its panel was first stood before, for the lag of triples
  focusAt: -1e9, walkAt: -1e9, wrongAt: -1e9, wrong: null, doneAt: -1e9,
  clockAt: 0, // performance.now() of the run's start
  stale: true, pending: false,
};
const sound = new Sound();

// The server -------------------------------------------------------------

async function ask(method, path, body) {
  const r = await fetch(path, { method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  if (!r.ok) throw new Error((await r.text()).trim());
  return r.json();
}

function take(run) {
  state.run = run;
  state.clockAt = performance.now() - run.elapsedMillis;
  showSteps();
  if (run.phase === 'won' || run.phase === 'lost' || run.phase === 'aborted') over();
}

async function begin(seed) {
  if (state.pending) return;
  state.pending = true;
  try {
    const run = await ask('POST', 'api/runs', { seed, part: $('part').value });
    const n = Number(BigInt(run.seed) % BigInt(looks.length));
    state.look = $('look').value === '' ? looks[n] : looks[Number($('look').value)];
    state.seenAt.clear();
    $('title').hidden = $('over').hidden = true;
    $('hud').hidden = $('pad').hidden = false;
    state.mode = 'walk';
    take(await ask('POST', `api/runs/${run.id}/start`, {}));
    stand(0);
    note('');
  } catch (e) {
    note(e.message);
  } finally {
    state.pending = false;
  }
}

async function stop(reason) {
  if (!state.run || state.run.phase !== 'running') return;
  try { take(await ask('POST', `api/runs/${state.run.id}/stop`, { reason })); } catch (e) { note(e.message); }
}

async function submit() {
  const { tracer, slot, board } = state;
  state.mode = 'checking';
  const stroke = tracer.stroke();
  try {
    const run = await ask('POST', `api/runs/${state.run.id}/answers`, { slot, board, stroke });
    const v = run.verdict;
    if (v.ok) {
      state.doneAt = performance.now();
      state.tracer = null;
      state.mode = 'solve';
      state.cursor = headPixel(tracer, board);
      sound.good();
      note('');
      take(run);
      if (state.mode !== 'over') rebuild();
    } else {
      state.wrong = { tracer, board };
      state.wrongAt = performance.now();
      sound.bad();
      note(`${v.rule ? v.rule + ': ' : ''}${v.text}`);
      setTimeout(() => {
        state.tracer = null;
        state.wrong = null;
        if (state.mode === 'checking') state.mode = 'solve';
        take(run);
        if (state.mode !== 'over') rebuild();
      }, BLINK);
    }
  } catch (e) {
    state.mode = 'trace';
    note(e.message);
    try { take(await ask('GET', `api/runs/${state.run.id}`)); } catch { /* the server is gone: the note says so */ }
  }
  wake();
}

// Where the player stands --------------------------------------------------

function current() { return state.run.slots[state.slot]; }

function stand(slot) {
  const n = state.run.slots.length;
  if (slot < 0 || slot >= n) return;
  state.slot = slot;
  state.mode = 'walk';
  state.tracer = null;
  state.keys = [];
  state.turn = state.turnTo = 0;
  startIndex = -1;
  state.walkAt = performance.now();
  rebuild();
  showSteps();
  document.body.classList.remove('solving');
}

function rebuild() {
  const s = current(), kind = kinds[s.kind];
  state.kind = kind;
  state.place = state.look[kind.place];
  const lit = !!s.boards;
  const json = lit ? s.boards : Array.from({ length: kind.place === 'triple' ? 3 : 1 }, () => ({ cols: kind.cells[0], rows: kind.cells[1], pillar: kind.place === 'pillar' }));
  state.boards = json.map((j) => Object.assign(new Board(j), { dark: !lit }));
  const key = `${state.slot}:${s.deal}:${lit}`;
  if (lit && !state.seenAt.has(key)) state.seenAt.set(key, performance.now());
  state.litAt = lit ? state.seenAt.get(key) : Infinity;
  state.stale = true;
  wake();
}

function viewSeed() { return (Number(BigInt(state.run.seed) % 4294967291n) + state.slot * 7919) >>> 0; }

// light is how bright a board is: 0 dark, 0.5 to 1 coming on.
function light(i, now) {
  if (current().stage === 'solved') return 1;
  const since = now - state.litAt - (state.kind.lag ? state.kind.lag[i] : 0);
  if (!(since >= 0)) return 0;
  return Math.min(1, 0.5 + (0.5 * since) / FADE);
}

function canWork(i) {
  return current().stage === 'lit' && light(i, performance.now()) > 0;
}

// Painting -----------------------------------------------------------------

let backdrop = null; // the rock behind a place, kept while only the board changes
let backdropKey = '';

function paintScene() {
  const canvas = scene.canvas, w = canvas.width, h = canvas.height, s = current(), p = state.place;
  const key = `${w}x${h}:${state.slot}:${viewSeed()}:${state.look.name}`;
  if (key !== backdropKey) {
    backdrop = new OffscreenCanvas(w, h);
    const ctx = backdrop.getContext('2d', { alpha: false });
    rock(ctx, w, h, p, state.kind.place, viewSeed());
    const still = views(state.kind, state.boards, w, h, viewSeed(), 0);
    for (const view of still) housing(ctx, view, state.kind, p, w, h);
    backdropKey = key;
  }
  scene.drawImage(backdrop, 0, 0);
  state.views = views(state.kind, state.boards, w, h, viewSeed(), state.turn);
  state.boards.forEach((b, i) => {
    drawBoard(scene, state.views[i], b, state.kind, p, state.look.symbols, h);
    if (s.stage === 'solved' && s.board === i) paintStroke(scene, i, s.stroke.map(([x, y]) => [x / 2, y / 2]), 0.82);
  });
}

function paintStroke(ctx, i, points, alpha) {
  const b = state.boards[i], view = state.views[i], p = state.place, k = state.kind;
  const n = points.length;
  const [ax, ay] = points[n - 2], [bx, by] = points[n - 1], l = Math.hypot(bx - ax, by - ay);
  const whole = [...points.slice(0, n - 1), [ax + ((bx - ax) / l) * k.cap, ay + ((by - ay) / l) * k.cap]];
  ctx.globalAlpha = alpha;
  if (b.symmetry) drawTrace(ctx, view, b, k, whole.map(([x, y]) => b.image(2 * x, 2 * y).map((v) => v / 2)), p.other || p.trace);
  drawTrace(ctx, view, b, k, whole, p.trace);
  ctx.globalAlpha = 1;
}

function headPixel(tracer, i) {
  const [u, v] = tracer.head();
  return state.views[i].project(u, v);
}

function size() { return extent(state.kind, live.canvas.width, live.canvas.height); }

function ease(f) { return f * f * (3 - 2 * f); }

// paint returns whether something still moves.
function paintLive(now) {
  const canvas = live.canvas, w = canvas.width, h = canvas.height, s = extent(state.kind, w, h);
  let moving = false;
  live.clearRect(0, 0, w, h);
  const stage = current().stage;
  state.views.forEach((view, i) => {
    const b = light(i, now);
    if (b < 1) {
      const m = view.pillar ? 0.62 : margin(state.kind);
      const veil = view.pillar
        ? Array.from({ length: view.cols }, (_, k) => box(k, -m, k + 1, view.rows + m))
        : [box(-m, -m, view.cols + m, view.rows + m)];
      fill(live, view, veil, b === 0 ? '#0b0b0a' : `rgba(6,6,5,${1 - b})`);
      if (b > 0 || (state.kind.lag && stage === 'lit')) moving = true;
    }
  });
  const t = state.tracer;
  if (t) {
    const b = state.boards[state.board], view = state.views[state.board], p = state.place;
    let colour = p.trace, other = p.other || p.trace;
    if (state.wrong) {
      moving = true;
      const on = Math.floor((now - state.wrongAt) / 150) % 2 === 0;
      colour = other = on ? '#c2281c' : '#2a0a08';
    }
    const mirrored = t.mirrored();
    if (mirrored) drawTrace(live, view, b, state.kind, mirrored, other);
    drawTrace(live, view, b, state.kind, t.points(), colour);
  }
  if (now - state.doneAt < 350) { // a short glow over the panel that was solved
    moving = true;
    const f = 1 - (now - state.doneAt) / 350, view = state.views[current().board || 0], m = margin(state.kind);
    if (!view.pillar) fill(live, view, [box(-m, -m, view.cols + m, view.rows + m)], `rgba(255,250,220,${0.18 * f})`);
  }
  if (state.mode === 'solve') {
    const [x, y] = state.cursor;
    const f = (now - state.focusAt) / FOCUS;
    if (f < 1) {
      moving = true;
      live.beginPath();
      live.arc(x, y, (90 - 75 * ease(Math.max(0, f))) * s, 0, 7);
      live.fillStyle = `rgba(255,255,255,${0.4 - 0.2 * f})`;
      live.fill();
    }
    live.beginPath();
    live.arc(x, y, 16 * s, 0, 7);
    live.lineWidth = 2 * s;
    live.strokeStyle = 'rgba(0,0,0,0.4)';
    live.stroke();
    live.beginPath();
    live.arc(x, y, 14.5 * s, 0, 7);
    live.fillStyle = 'rgba(255,255,255,0.4)';
    live.fill();
  }
  const walk = (now - state.walkAt) / WALK;
  if (walk < 1) { // from panel to panel through the dark
    moving = true;
    live.fillStyle = `rgba(0,0,0,${1 - ease(Math.max(0, walk))})`;
    live.fillRect(0, 0, w, h);
  }
  return moving;
}

let awake = false, before = 0;
function wake() {
  if (awake) return;
  awake = true;
  before = performance.now();
  requestAnimationFrame(frame);
}

function frame(now) {
  awake = false;
  if (!state.run || !state.kind) return;
  const dt = Math.max(0, Math.min(50, now - before));
  before = now;
  let moving = advance(dt);
  if (state.stale) {
    state.stale = false;
    paintScene();
  }
  moving = paintLive(now) || moving;
  if (moving) {
    awake = true;
    requestAnimationFrame(frame);
  }
}

// advance applies the motion of one frame.
function advance(dt) {
  let moving = false;
  const [mx, my] = state.motion;
  state.motion = [0, 0];
  if (state.mode === 'trace') {
    if (mx || my) {
      const [u, v] = state.tracer.head();
      const [du, dv] = inverse(state.views[state.board], u, v, mx * state.kind.factor, my * state.kind.factor);
      state.tracer.move(du, dv);
    }
    if (state.keys.length) {
      moving = true;
      stepKey(dt);
    }
    if (state.views[state.board].pillar) state.turnTo = state.tracer.head()[0];
  } else if (state.mode === 'solve') {
    const c = live.canvas;
    state.cursor = [Math.max(0, Math.min(c.width, state.cursor[0] + mx)), Math.max(0, Math.min(c.height, state.cursor[1] + my))];
  }
  if (state.turn !== state.turnTo) {
    const gap = state.turnTo - state.turn;
    // While tracing the view follows the head; stepping round takes COLUMN.
    const step = state.mode === 'trace' ? gap * (1 - Math.exp(-dt / 70)) : Math.sign(gap) * Math.min(Math.abs(gap), Math.max(dt, 1) / COLUMN);
    state.turn = Math.abs(gap) < 0.004 ? state.turnTo : state.turn + step;
    state.stale = moving = true;
  }
  return moving;
}

// stepKey carries the head towards the next node in the key's direction.
function stepKey(dt) {
  const [kx, ky] = state.keys[0].dir, t = state.tracer, k = state.keys[0];
  const quick = Math.max(0.05, Math.min(0.4, dt / 90));
  const [x, y] = t.head();
  if (!k.goal) k.goal = [Math.round(x) + kx, Math.round(y) + ky];
  const left = Math.abs((k.goal[0] - x) * kx + (k.goal[1] - y) * ky);
  const step = Math.min(left, quick);
  t.move(kx * step, ky * step);
  const [nx, ny] = t.head();
  k.tries = (k.tries || 0) + 1;
  const moved = Math.hypot(nx - x, ny - y);
  const arrived = Math.abs((k.goal[0] - nx) * kx + (k.goal[1] - ny) * ky) < 1e-4;
  if (arrived || moved < 1e-5 || k.tries > 40) state.keys.shift();
}

// What the player does -------------------------------------------------------

function lock() {
  const el = $('stage');
  if (document.pointerLockElement || !el.requestPointerLock) return;
  const p = el.requestPointerLock();
  if (p && p.catch) p.catch(() => {}); // refused: motion over the window still counts
}

function enter() {
  state.mode = 'solve';
  state.cursor = [live.canvas.width / 2, live.canvas.height / 2];
  state.motion = [0, 0];
  state.focusAt = performance.now();
  document.body.classList.add('solving');
  wake();
}

function leave() {
  state.mode = 'walk';
  state.tracer = null;
  document.body.classList.remove('solving');
  wake();
}

// startAt finds the start under a pixel.
function startAt([x, y], slack = 1.15) {
  let best = null;
  state.boards.forEach((b, i) => {
    if (!canWork(i)) return;
    const view = state.views[i];
    for (const s of b.starts()) {
      let u = s.X / 2;
      if (view.pillar) {
        u -= Math.round((u - view.column) / view.cols) * view.cols;
        if (u < view.clip[0] || u > view.clip[1]) continue;
      }
      const [px, py] = view.project(u, s.Y / 2);
      const far = Math.hypot(px - x, py - y), r = pitch(view, u, s.Y / 2) * state.kind.line * state.kind.start * slack;
      if (far <= Math.max(r, 11 * size()) && (!best || far < best.far)) best = { far, board: i, at: [2 * u, s.Y] };
    }
  });
  return best;
}

function beginTrace(hit) {
  state.board = hit.board;
  state.tracer = new Tracer(state.boards[hit.board], hit.at, state.kind);
  state.mode = 'trace';
  state.keys = [];
  state.motion = [0, 0];
  sound.begin();
  wake();
}

function press() {
  switch (state.mode) {
    case 'walk':
      lock();
      enter();
      break;
    case 'solve': {
      lock();
      advance(0); // what was moved before the click counts before it
      const hit = startAt(state.cursor);
      if (hit) beginTrace(hit);
      break;
    }
    case 'trace':
      advance(0);
      if (state.tracer.inCap()) submit();
      break;
  }
  wake();
}

function cancel() {
  if (state.mode === 'trace') {
    const [x, y] = headPixel(state.tracer, state.board);
    state.tracer = null;
    state.keys = [];
    state.motion = [0, 0];
    state.mode = 'solve';
    state.cursor = [x, y];
    state.turnTo = Math.round(state.turnTo);
  } else if (state.mode === 'solve') {
    leave();
    return;
  }
  wake();
}

function walk(by) {
  if (!state.run || !['walk', 'solve'].includes(state.mode)) return;
  stand(state.slot + by);
}

function round(by) {
  if (!state.kind || state.kind.place !== 'pillar' || !['walk', 'solve'].includes(state.mode)) return;
  state.turnTo = Math.round(state.turnTo) + by;
  wake();
}

const stage = $('stage');
stage.addEventListener('mousemove', (e) => {
  if (state.mode !== 'solve' && state.mode !== 'trace') return;
  if (!document.pointerLockElement && e.sourceCapabilities?.firesTouchEvents) return;
  const k = state.sens * devicePixelRatio;
  state.motion[0] += e.movementX * k;
  state.motion[1] += e.movementY * k;
  wake();
});
stage.addEventListener('mousedown', (e) => {
  if (e.sourceCapabilities?.firesTouchEvents) return; // the finger did it already
  if (e.button === 0) press();
  if (e.button === 2) cancel();
});
stage.addEventListener('contextmenu', (e) => e.preventDefault());
document.addEventListener('pointerlockchange', () => {
  if (!document.pointerLockElement && (state.mode === 'solve' || state.mode === 'trace')) leave();
});

const arrows = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  if (state.mode === 'title' || state.mode === 'over') {
    if (e.code === 'Space' && !['INPUT', 'SELECT', 'BUTTON'].includes(e.target.tagName)) {
      e.preventDefault();
      if (state.mode === 'title') $('setup').requestSubmit();
      else begin(again());
    }
    return;
  }
  if (arrows[e.key]) {
    e.preventDefault();
    arrow(arrows[e.key]);
    return;
  }
  if (e.repeat) return;
  switch (e.key) {
    case ' ': case 'Enter': e.preventDefault(); press(); break;
    case 'Tab':
      if (state.mode === 'solve') {
        e.preventDefault();
        nextStart(e.shiftKey ? -1 : 1);
      }
      break;
    case 'Backspace': e.preventDefault(); cancel(); break;
    case 'Escape': if (!document.pointerLockElement) cancel(); break;
    case 'd': walk(1); break;
    case 'a': walk(-1); break;
    case 'e': round(1); break;
    case 'q': round(-1); break;
    case 'p': stop('paused'); break;
    case 'm': sound.on = $('sound').checked = !sound.on; break;
  }
});

function arrow(dir) {
  if (state.mode === 'trace') {
    if (state.keys.length < 3) state.keys.push({ dir });
  } else if (state.mode === 'solve') {
    const s = 24 * size();
    state.motion[0] += dir[0] * s;
    state.motion[1] += dir[1] * s;
  } else if (state.mode === 'walk') {
    if (state.kind.place === 'pillar' && dir[0]) round(dir[0]);
    else if (dir[0]) walk(dir[0]);
  }
  wake();
}

let startIndex = -1;
function nextStart(by) {
  const all = [];
  state.boards.forEach((b, i) => { if (canWork(i)) for (const s of b.starts()) all.push([i, s]); });
  if (!all.length) return;
  startIndex = (((startIndex + by) % all.length) + all.length) % all.length;
  const [i, s] = all[startIndex], view = state.views[i];
  let u = s.X / 2;
  if (view.pillar) {
    u -= Math.round((u - view.column) / view.cols) * view.cols;
    state.turn = state.turnTo = u;
    paintScene();
  }
  state.cursor = state.views[i].project(u, s.Y / 2);
  wake();
}

// Touch: a finger drags the line from a start, wherever on the glass it rests;
// lifted in an end it submits, elsewhere the line waits for the next finger.
let finger = null;
const pixel = (t) => [t.clientX * devicePixelRatio, t.clientY * devicePixelRatio];
stage.addEventListener('touchstart', (e) => {
  e.preventDefault();
  if (e.touches.length > 1) { cancel(); finger = null; return; }
  const at = pixel(e.touches[0]);
  finger = { at, moved: 0 };
  if (state.mode === 'walk' || state.mode === 'solve') {
    const hit = startAt(at, 1.8);
    if (hit) {
      if (state.mode === 'walk') enter();
      beginTrace(hit);
    }
  }
}, { passive: false });
stage.addEventListener('touchmove', (e) => {
  e.preventDefault();
  if (!finger || e.touches.length > 1) return;
  const at = pixel(e.touches[0]), dx = at[0] - finger.at[0], dy = at[1] - finger.at[1];
  finger.at = at;
  finger.moved += Math.hypot(dx, dy);
  if (state.mode === 'trace') { // the head keeps up with the finger: no factor
    state.motion[0] += dx / state.kind.factor;
    state.motion[1] += dy / state.kind.factor;
  } else if (state.kind?.place === 'pillar') {
    state.turn = state.turnTo -= dx / (state.kind.pitch * size());
    state.stale = true;
  }
  wake();
}, { passive: false });
stage.addEventListener('touchend', (e) => {
  e.preventDefault();
  if (!finger || e.touches.length) return;
  if (state.mode === 'trace') {
    advance(0);
    if (state.tracer.inCap()) submit();
  } else if (finger.moved < 12 && state.mode === 'walk') enter();
  finger = null;
  wake();
}, { passive: false });

for (const b of document.querySelectorAll('#pad button')) {
  b.addEventListener('click', () => {
    ({ back: () => walk(-1), next: () => walk(1), left: () => round(-1), right: () => round(1), cancel })[b.dataset.do]();
    b.blur();
  });
}

// Around the board -----------------------------------------------------------

function note(text) { $('note').textContent = text; }

function showSteps() {
  const list = $('steps');
  list.replaceChildren(...state.run.slots.map((s, i) => {
    const li = document.createElement('li');
    li.className = s.stage + (i === state.slot ? ' here' : '');
    li.title = kinds[s.kind].title;
    return li;
  }));
}

function minutes(ms) {
  const s = Math.max(0, ms) / 1000;
  return `${Math.floor(s / 60)}:${(s % 60).toFixed(0).padStart(2, '0')}`.replace(':60', ':59');
}

setInterval(async () => {
  const run = state.run;
  if (!run || run.phase !== 'running') return;
  if (!run.limitMillis) { // a part is trained without a clock
    $('clock').textContent = '';
    return;
  }
  const left = run.limitMillis - (performance.now() - state.clockAt);
  $('clock').textContent = minutes(left);
  $('clock').classList.toggle('late', left < 60000);
  if (left <= 0) {
    try { take(await ask('GET', `api/runs/${run.id}`)); } catch (e) { note(e.message); }
  }
}, 250);

function again() { return state.run.phase === 'won' ? '' : state.run.seed; }

function over() {
  if (state.mode === 'over') return;
  state.mode = 'over';
  state.tracer = null;
  document.body.classList.remove('solving');
  if (document.pointerLockElement) document.exitPointerLock();
  const run = state.run, won = run.phase === 'won';
  $('overTitle').textContent = won ? `Solved in ${run.part ? exact(run.elapsedMillis) : minutes(run.elapsedMillis)}` : run.phase === 'lost' ? 'The music is over' : 'The run was paused';
  let last = 0;
  const rows = run.slots.map((s, i) => ({ i, s })).sort((a, b) => (a.s.stage === 'solved' ? a.s.atMillis : 1e12) - (b.s.stage === 'solved' ? b.s.atMillis : 1e12));
  $('table').replaceChildren(...rows.map(({ i, s }) => {
    const tr = document.createElement('tr');
    const took = s.stage === 'solved' ? `${((s.atMillis - last) / 1000).toFixed(1)} s` : '–';
    if (s.stage === 'solved') last = s.atMillis;
    for (const text of [i + 1, kinds[s.kind].title, s.wrong ? `${s.wrong} wrong` : '', took, s.stage === 'solved' ? minutes(s.atMillis) : '']) {
      const td = document.createElement('td');
      td.textContent = text;
      tr.append(td);
    }
    return tr;
  }));
  $('over').hidden = false;
  if (won) {
    const best = Number(localStorage[bestOf(run.part)] || 1e12);
    if (run.elapsedMillis < best) {
      localStorage[bestOf(run.part)] = run.elapsedMillis;
      $('overTitle').textContent += best < 1e12 ? `, ${exact(best - run.elapsedMillis)} better than before` : ', your first time';
    } else $('overTitle').textContent += `; your best is ${exact(best)}`;
    sound.won();
  }
  showBest();
}

// exact is a time to the tenth of a second, as who trains wants it.
function exact(ms) {
  const s = ms / 1000;
  return s < 60 ? `${s.toFixed(1)} s` : `${Math.floor(s / 60)}:${(s % 60).toFixed(1).padStart(4, '0')}`;
}

// bestOf is where the best time of a part is kept, or of the whole.
function bestOf(part) { return part ? `best:${part}` : 'best'; }

function showBest() {
  const times = [...$('part').options].map((o) => [o, Number(localStorage[bestOf(o.value)])]).filter(([, ms]) => ms);
  $('best').textContent = times.length ? `Best so far: ${times.map(([o, ms]) => `${o.textContent} ${exact(ms)}`).join(', ')}` : '';
}

function choosePart() {
  $('whole').hidden = !!$('part').value;
  $('piece').hidden = !$('part').value;
}

function fit() {
  for (const id of ['scene', 'live']) {
    const c = $(id);
    c.width = Math.round(innerWidth * devicePixelRatio);
    c.height = Math.round(innerHeight * devicePixelRatio);
  }
  backdropKey = '';
  state.stale = true;
  if (state.run && state.kind) wake();
  else idle();
}

function idle() {
  rock(scene, scene.canvas.width, scene.canvas.height, looks[0].column, 'column', Math.floor(random(7)() * 1000));
}

// Setting up -------------------------------------------------------------------

const query = new URLSearchParams(location.search);
$('look').append(new Option('by seed', ''));
looks.forEach((l, i) => $('look').append(new Option(l.name, i)));
const wanted = query.get('look');
if (wanted !== null) {
  const i = looks.findIndex((l, k) => l.name === wanted || String(k) === wanted);
  if (i >= 0) $('look').value = String(i);
}
$('seed').value = query.get('seed') ?? '';
$('part').addEventListener('change', choosePart);
ask('GET', 'api/parts').then((parts) => {
  for (const p of parts) $('part').append(new Option(p.name, p.name));
  $('part').value = query.get('part') ?? '';
  choosePart();
  showBest();
}).catch((e) => note(e.message));
state.sens = Number(query.get('sens') || localStorage.sens || 1) || 1;
$('sens').value = state.sens;
$('sensText').textContent = `× ${state.sens}`;
$('sens').addEventListener('input', () => {
  state.sens = Number($('sens').value);
  localStorage.sens = state.sens;
  $('sensText').textContent = `× ${state.sens}`;
});
$('sound').checked = sound.on = localStorage.sound === '1';
sound.volume = Number(localStorage.volume ?? 1); // the local page's settings have it
$('sound').addEventListener('change', () => {
  sound.on = $('sound').checked;
  localStorage.sound = sound.on ? '1' : '0';
});
$('setup').addEventListener('submit', (e) => {
  e.preventDefault();
  $('go').blur();
  begin($('seed').value.trim());
});
$('again').addEventListener('click', () => begin(again()));
$('menu').addEventListener('click', () => {
  $('over').hidden = true;
  $('title').hidden = false;
  $('hud').hidden = $('pad').hidden = true;
  state.mode = 'title';
});
addEventListener('resize', fit);
fit();
