// Browse: what the store keeps, as pictures; one of them with its answers.

import { post, games, link } from './api.js';
import { EXAMPLE } from './example.js';
import { Card, plural } from './card.js';

const $ = (id) => document.getElementById(id);
const PAGE = 200; // puzzles asked for at a time
const RESTS = 80; // ms without scrolling
const AT_ONCE = 3; // pictures a frame: each takes the page's own thread some ms
const AHEAD = 3; // rows that are there beyond what is in sight

const card = new Card($('browse-card'));
card.root.querySelector('.said').append($('browse-forget'));
const state = {
  wanted: {}, entries: [], done: false, loading: 0, turn: 0, // the list as far as it was asked for
  tiles: new Map(), // those in the page, by number
  id: 0, facets: null, focus: 0, scroll: 0, painting: 0,
};

export function hide() {
  card.cancel();
  state.facets = null; // the list is asked for anew
}

// show shows the list, or the puzzle that the address names: Back goes back to the list.
export async function show(asked) {
  const { keeps } = await games();
  if (!keeps) {
    $('browse-count').textContent = 'Nothing is kept: onlooker was started so that it keeps nothing.';
    return;
  }
  if (asked?.get('id')) {
    await one({ id: Number(asked.get('id')) }, true);
    return;
  }
  all();
  if (!state.facets) await refresh();
}

function option(value, text) { return new Option(text, value); }

async function refresh() {
  try {
    state.facets = await post('api/facets', {});
    filters();
    await reload();
  } catch (e) {
    $('browse-count').textContent = e.message;
  }
}

// filters offers what there is to filter by.
function filters() {
  const f = state.facets, w = state.wanted;
  const fill = (id, any, list, value) => {
    $(id).replaceChildren(option('', any), ...list.map(([v, n]) => option(v, `${v.replace('x', '×')} (${n.toLocaleString('en')})`)));
    $(id).value = value ?? '';
  };
  fill('browse-family', 'any', Object.entries(f.families), w.family);
  const sizes = w.family ? f.sizes[w.family] ?? [] : [];
  $('browse-size').disabled = !w.family;
  fill('browse-size', w.family ? 'any' : 'any (choose a family)', sizes.map((s) => [`${s.cols}x${s.rows}`, s.count]), w.cols ? `${w.cols}x${w.rows}` : '');
  fill('browse-status', 'any', Object.entries(f.statuses), w.status);
  fill('browse-source', 'anywhere', Object.entries(f.sources), w.source);
  const features = w.family ? Object.entries(f.features[w.family] ?? {}) : [];
  $('browse-features').hidden = !features.length;
  $('browse-features').querySelector('.fields').replaceChildren(...features.map(([name, n]) => {
    const label = document.createElement('label');
    label.className = 'check';
    label.append(Object.assign(document.createElement('input'), { type: 'checkbox', value: name, checked: !!w.features?.includes(name) }), `${name} (${n.toLocaleString('en')})`);
    return label;
  }));
}

$('browse-example').addEventListener('click', () => { location.hash = link('solve', EXAMPLE); });
$('browse-clear').addEventListener('click', () => {
  $('browse-filter').reset();
  state.wanted = {};
  refresh();
});
$('browse-filter').addEventListener('submit', (e) => e.preventDefault());
$('browse-filter').addEventListener('change', (e) => {
  const size = $('browse-size').value.split('x').map(Number);
  const family = $('browse-family').value;
  const other = e.target.id === 'browse-family';
  state.wanted = {
    family, status: $('browse-status').value, source: $('browse-source').value,
    ...(size[1] && !other ? { cols: size[0], rows: size[1] } : {}),
    features: other ? [] : [...$('browse-features').querySelectorAll('input:checked')].map((i) => i.value),
  };
  if (other) filters();
  all();
  reload();
});
// sure asks once more before a puzzle is forgotten.
function sure(asks) {
  $('browse-forget').querySelector('.sure').hidden = !asks;
  $('browse-forget').querySelector('.forget').disabled = asks;
  if (asks) $('browse-forget').querySelector('.no').focus();
}
$('browse-forget').querySelector('.forget').addEventListener('click', () => sure(true));
$('browse-forget').querySelector('.no').addEventListener('click', () => sure(false));
$('browse-forget').querySelector('.yes').addEventListener('click', async () => {
  try {
    await post('api/forget', { id: state.id });
  } catch (e) {
    sure(false);
    $('browse-seen').textContent = e.message;
    return;
  }
  all();
  refresh();
});

async function reload() {
  state.turn++;
  state.entries = [];
  state.done = false;
  state.fresh = true; // what is shown stays until the new list is there
  await more();
}

// more asks for the next page of the list.
async function more() {
  if (state.loading === state.turn || state.done) return;
  const turn = (state.loading = state.turn);
  try {
    const got = await post('api/list', { wanted: state.wanted, id: state.entries.at(-1)?.id ?? 0, number: PAGE });
    if (turn !== state.turn) return;
    if (got.count !== undefined) {
      const some = Object.keys(state.facets?.families ?? {}).length > 0;
      $('browse-count').textContent = got.count ? plural(got.count, 'puzzle') : some ? 'no puzzle is like that' : 'no puzzles yet';
      $('browse-help').hidden = some;
      $('browse-clear').hidden = !some || got.count > 0;
    }
    state.done = got.entries.length < PAGE;
    state.entries.push(...got.entries);
  } catch (e) {
    state.done = true;
    $('browse-count').textContent = e.message;
  } finally {
    if (state.loading === turn) state.loading = 0;
  }
  place();
}

// place has those tiles in the page that are in sight, and a few rows more: a
// list of thousands scrolls as one of dozens.
function place() {
  const list = $('browse-list');
  if (list.hidden || (state.fresh && !state.entries.length && !state.done)) return;
  const style = getComputedStyle(list), gap = parseFloat(style.rowGap), pitch = parseFloat(style.gridAutoRows) + gap;
  const columns = style.gridTemplateColumns.split(' ').length;
  const top = list.getBoundingClientRect().top;
  const rows = Math.ceil(state.entries.length / columns);
  const first = Math.min(rows, Math.max(0, Math.floor(-top / pitch) - AHEAD));
  const last = Math.max(first, Math.min(rows, Math.ceil((innerHeight - top) / pitch) + AHEAD));
  const wanted = state.entries.slice(first * columns, last * columns);
  const tiles = new Map(wanted.map((e, i) => {
    const number = first * columns + i + 1, said = `${number} ${tell(e)}`, old = state.tiles.get(e.id);
    return [e.id, old?.dataset.said === said ? old : tile(e, number, said)];
  }));
  if (state.fresh) {
    list.replaceChildren(...tiles.values());
  } else {
    for (const [id, li] of state.tiles) if (tiles.get(id) !== li) li.remove();
    let after = null;
    for (const li of tiles.values()) {
      if (!li.isConnected) after ? after.after(li) : list.prepend(li);
      after = li;
    }
  }
  state.tiles = tiles;
  state.fresh = false;
  list.style.paddingTop = `${first * pitch}px`;
  list.style.paddingBottom = `${(rows - last) * pitch}px`;
  clearTimeout(state.timer);
  state.painting++;
  state.timer = setTimeout(pictures, RESTS);
  if (last >= rows - 2 * AHEAD) more();
}

// pictures are asked for when the list rests, since what flies by needs none:
// those in the middle first, and a few a frame.
async function pictures() {
  const turn = ++state.painting;
  const bare = [...state.tiles].filter(([, li]) => !li.querySelector('img').hasAttribute('src'));
  const middle = (bare.length - 1) / 2;
  const order = bare.map((entry, i) => [Math.abs(i - middle), entry]).sort((a, b) => a[0] - b[0]).map(([, entry]) => entry);
  while (order.length) {
    const now = order.splice(0, AT_ONCE).map(([id, li]) => {
      const img = li.querySelector('img');
      img.src = `api/kept/${id}/board.svg?${li.dataset.seen}`; // a number may be used again
      return img.decode().catch(() => {}); // it left the page, or has no picture
    });
    await Promise.all(now);
    await new Promise(requestAnimationFrame);
    if (turn !== state.painting) return;
  }
}

let placing = false;
function soon() {
  if (placing) return;
  placing = true;
  requestAnimationFrame(() => {
    placing = false;
    place();
  });
}
addEventListener('scroll', soon, { passive: true });
addEventListener('resize', soon);

// tell is all that a tile says, for those who do not see it.
function tell(e) {
  const features = e.features.length ? ` with ${e.features.join(', ')}` : '';
  return `${e.family} ${e.cols}×${e.rows}${features}, ${e.status}`;
}

function tile(e, number, said) {
  const li = document.createElement('li'), b = Object.assign(document.createElement('button'), { type: 'button' });
  b.dataset.id = e.id;
  li.dataset.seen = Date.parse(e.seen);
  li.dataset.said = said;
  b.append(Object.assign(document.createElement('img'), { alt: '', decoding: 'async' }), `${e.family} ${e.cols}×${e.rows}, ${e.status}`);
  b.setAttribute('aria-label', tell(e));
  li.setAttribute('aria-posinset', number);
  li.setAttribute('aria-setsize', state.done ? state.entries.length : -1);
  li.append(b);
  return li;
}

$('browse-list').addEventListener('click', (e) => {
  const b = e.target.closest('button');
  if (b) {
    Object.assign(state, { focus: Number(b.dataset.id), scroll: scrollY, came: true });
    location.hash = `browse?id=${b.dataset.id}`;
  }
});

// one shows a single puzzle, or its neighbour.
async function one(ask, chosen) {
  const asked = (state.asked = ask);
  try {
    const got = await post('api/kept', { wanted: state.wanted, ...ask });
    if (asked !== state.asked || !location.hash.startsWith('#browse')) return; // the list, another one or another view is wanted by now
    state.id = got.id;
    history.replaceState(null, '', `#browse?id=${got.id}`);
    $('browse-one').hidden = false;
    $('browse-list').hidden = true;
    for (const b of $('browse-one').querySelectorAll('[data-step]')) b.disabled = false;
    const where = got.places.map((p) => `${p.source}${p.place ? ` (${p.place})` : ''}`).join(', ');
    $('browse-seen').textContent = `${got.features.join(', ')}${where ? `; from ${where}` : ''}, ${new Date(got.seen).toLocaleDateString()}`;
    card.show({ family: got.family, text: got.text }, '');
    sure(false);
    if (chosen) $('browse-back').focus();
  } catch (e) {
    if (ask.step) $('browse-one').querySelector(`[data-step="${ask.step}"]`).disabled = true;
    else {
      all();
      $('browse-count').textContent = e.message;
    }
  }
}

function all() {
  state.asked = null;
  if (location.hash.startsWith('#browse?')) history.replaceState(null, '', '#browse');
  card.clear();
  $('browse-one').hidden = true;
  $('browse-list').hidden = false;
  scrollTo(0, state.scroll);
  place();
  state.tiles.get(state.focus)?.querySelector('button').focus();
  state.focus = state.scroll = 0;
}

$('browse-back').addEventListener('click', () => {
  if (state.came) history.back();
  else location.hash = 'browse';
  state.came = false;
});
for (const b of $('browse-one').querySelectorAll('[data-step]')) b.addEventListener('click', () => one({ id: state.id, step: Number(b.dataset.step) }));
