// The view for a phone in a hand: the drawn board with its answer, large; of
// boards that belong together the one to solve; the map where there is one.

import { lay, show, times } from './svg.js';

const $ = (id) => document.getElementById(id);
const SOON = 2000; // ms until a board without an answer takes the place of one that is gone
const patience = 12000; // three times what the server lets pass between its words

let heard = 0;      // when the server was last heard
let events = null, trying = 0;
let seen = null;    // the last look
let boards = [];    // what can be shown: the boards of the last look that had any, and the map
let map = null;     // the last board that is a map
let since = 0;      // when the boards went out of sight; 0: they are in it
let picked = '', pickedAt = 0; // the board that somebody tapped, and when
let drawn = '';     // what is drawn now

// A bare "right" would be taken for "correct".
const places = { left: 'On the left', centre: 'In the centre', right: 'On the right' };

const key = (board) => board.title + board.svg;

function connect() {
  events?.close();
  clearTimeout(trying);
  heard = Date.now(); // the next patience begins
  events = new EventSource('live/events');
  for (const kind of ['frame', 'look', 'here']) {
    events.addEventListener(kind, (e) => {
      heard = Date.now();
      lost = '';
      if (kind === 'look') look(JSON.parse(e.data));
      if (kind === 'frame') frame(e.data);
      said();
    });
  }
  events.onerror = failed;
}

let lost = 'connecting';
async function failed() {
  lost = 'no connection, trying again';
  said();
  events.close();
  clearTimeout(trying);
  trying = setTimeout(connect, 5000); // a wrong code must not be tried too often
  try {
    const r = await fetch('./');
    if (r.status === 404) lost = 'onlooker was started anew: open the address that it shows now';
    else if (r.ok) {
      clearTimeout(trying);
      trying = setTimeout(connect, 300);
    }
  } catch {
    clearTimeout(trying);
    trying = setTimeout(connect, 1500); // nobody is there
  }
  said();
}

setInterval(() => {
  if (!lost && Date.now() - heard > patience) {
    lost = 'no connection, trying again';
    connect();
  }
  said();
}, 1000);
addEventListener('online', connect);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  if (lost || Date.now() - heard > patience / 2) connect(); // the phone slept
  if (awake) keepAwake();
});

function said() {
  const words = lost || (seen?.state ?? '').split(': ')[0] || 'connected'; // the rest is told below the heading
  if ($('state').textContent !== words) $('state').textContent = words;
  $('state').className = lost ? 'lost' : '';
  draw();
}

function frame(number) {
  $('frame').dataset.number = number;
  picture();
}

// The frame is fetched only where it is looked at.
function picture() {
  const number = $('frame').dataset.number;
  if (!$('more').open || !number) return;
  $('frame').hidden = false;
  $('frame').src = `live/frame.jpg?${number}`;
}
$('more').addEventListener('toggle', picture);

function look(now) {
  seen = now;
  const answered = now.boards.filter((b) => done(b) && !b.wrong);
  const fresh = answered.find((b) => b.map);
  if (fresh) map = fresh;
  const shown = now.boards.filter((b) => answered.includes(b) || b.status === 'unsolvable' && b.svg);
  if (shown.length) {
    const before = boards.map(key).join();
    boards = shown;
    if (boards.map(key).join() !== before) picked = ''; // the next panel takes the place of the last
    since = 0;
  } else if (!since) {
    since = Date.now();
  }
  draw();
  lay($('over'), now);
  $('times').textContent = times(now);
  $('all').replaceChildren(...now.boards.map((b) => {
    const li = document.createElement('li');
    li.textContent = `${name(b)}: ${done(b) ? 'answered' : b.error || b.status}`;
    return li;
  }));
}

const done = (b) => b.svg && b.status === 'solved';
const name = (b) => (b.map ? 'the map' : b.place || b.title.split(';')[0]);

// large are the boards that are drawn large: the one that was tapped or is to be solved, else
// up to three, one over the other. What comes and has no answer yet takes the place of what was.
function large(all) {
  const next = since && Date.now() - since > SOON && seen.boards.some((b) => b.status !== 'seen' && !b.svg);
  const one = all.find((b) => key(b) === picked && (!next || pickedAt > since)) ?? boards.find((b) => b.right && !next);
  if (one) return [one];
  const open = boards.filter((b) => done(b) && !b.map);
  if (next) return [];
  if (!open.length && boards.some((b) => !done(b))) return boards.length > 1 ? [] : boards;
  return open.length ? open.slice(0, 3) : all.slice(0, 1);
}

// waiting is what is said where no board is drawn.
function waiting() {
  const [head] = (lost ? '' : seen?.state ?? '').split(': ');
  if (head === 'unsure') return 'Not read yet';
  return ['', 'no board', 'answered', 'no solution'].includes(head) ? 'Waiting for a board' : head;
}

// turning is a pillar with an arrow across it: the way that its front goes.
const turning = (way) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 88"><g${way === 'left' ? ' transform="matrix(-1 0 0 1 100 0)"' : ''} fill="none" stroke="currentColor" stroke-width="2">
<path d="M22 14v60a28 10 0 0 0 56 0v-60"/><ellipse cx="50" cy="14" rx="28" ry="10"/><path class="side" stroke="none" d="M22 14v60a28 10 0 0 0 9 7v-60a28 10 0 0 1 -9 -7"/>
<path stroke-width="7" stroke-linecap="round" stroke-linejoin="round" d="M27 45q22 12 44 2M59 39l12 8l-9 11"/></g></svg>`;

function draw() {
  const all = map && !boards.some((b) => key(b) === key(map)) ? [...boards, map] : boards;
  const shown = large(all), [board] = shown;
  const verdict = (seen?.say[0] ?? '').replace(/^(the one to solve|two have no answer): /, '');
  const { turn, way } = seen?.boards.find((b) => b.turn) ?? {};
  $('name').className = turn && (since || !board) ? 'turn' : '';
  if ($('name').className) $('name').textContent = turn;
  else if (board?.map) $('name').textContent = 'The map';
  else if (verdict && (!board || board.right)) $('name').textContent = places[verdict] ?? verdict;
  else $('name').textContent = shown.length > 1 ? 'The answers' : !board ? waiting() : done(board) ? 'The answer' : 'No answer';
  current = shown;
  tellWhat();
  const round = $('name').className && way;
  const now = JSON.stringify([round, ...[shown, all].map((list) => list.map(key))]);
  if (drawn === now) return;
  drawn = now;
  $('board').dataset.many = shown.length;
  $('board').replaceChildren(...shown.map((b) => {
    const figure = document.createElement('figure');
    show(figure, b.svg, `${b.title}, ${done(b) ? 'with its answer' : 'crossed out'}`);
    if (shown.length > 1) figure.prepend(Object.assign(document.createElement('figcaption'), { textContent: name(b) }));
    return figure;
  }));
  if (round) show($('board'), turning(round), `its front goes to the ${round}`);
  const rest = all.some((b) => !shown.includes(b));
  $('choice').hidden = !rest;
  $('choice').replaceChildren(...(rest ? all : []).map((b) => {
    const button = Object.assign(document.createElement('button'), { type: 'button' });
    show(button, b.svg, '').setAttribute('aria-hidden', 'true');
    button.append(done(b) ? name(b) : `${name(b)}: no answer`);
    button.setAttribute('aria-pressed', String(shown.includes(b)));
    button.addEventListener('click', () => {
      [picked, pickedAt] = [key(b), Date.now()];
      draw();
    });
    return button;
  }));
}

let current = [];
function tellWhat() {
  const refused = !current.length && !lost && !$('name').className && !seen?.say.length && (seen?.state ?? '').split(': ').slice(1).join(': ');
  const gone = since ? Math.round((Date.now() - since) / 1000) : 0;
  const words = [...new Set(current.map((b) => b.title)), current[0]?.map, gone > 2 && current.length ? `out of sight for ${gone < 60 ? `${gone} s` : `${Math.floor(gone / 60)} min`}` : ''].filter(Boolean).join('; ') || refused || '';
  if ($('what').textContent !== words) $('what').textContent = words;
}

// A phone's screen stays on by the browser's own means where the page may use
// them (browsers want HTTPS or this machine for it), else by a film without
// sound that plays while it is wanted.
let awake = false, lock = null, film = null;

async function keepAwake() {
  try {
    lock = await navigator.wakeLock.request('screen');
  } catch {
    await play();
  }
  told();
}

async function play() {
  if (film) {
    await film.play().catch(() => {});
    return;
  }
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 16;
  const context = canvas.getContext('2d');
  film = document.createElement('video');
  film.playsInline = true;
  film.setAttribute('aria-hidden', 'true');
  const stream = canvas.captureStream(2);
  const sound = new AudioContext().createMediaStreamDestination(); // nothing is connected: silence
  stream.addTrack(sound.stream.getAudioTracks()[0]);
  film.srcObject = stream;
  let n = 0;
  film.beat = setInterval(() => { context.fillStyle = n++ % 2 ? '#000' : '#010101'; context.fillRect(0, 0, 16, 16); }, 500);
  await film.play().catch(() => stop());
}

function stop() {
  lock?.release();
  if (film) {
    clearInterval(film.beat);
    film.pause();
  }
  lock = film = null;
}

function told() {
  awake = Boolean(lock || film);
  $('awake').setAttribute('aria-pressed', String(awake));
  $('awake').textContent = awake ? 'Screen stays on' : 'Keep the screen on';
}

$('awake').addEventListener('click', async () => {
  if (awake) stop();
  else await keepAwake();
  told();
});

connect();
