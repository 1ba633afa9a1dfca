// The page: which view is shown, and what is dropped or pasted anywhere.

import { unpack, games, given, knock, watchServer } from './api.js';
import { Card } from './card.js';
import * as settings from './settings.js';
import * as solve from './solve.js';
import * as browse from './browse.js';
import * as edit from './edit.js';
import * as play from './play.js';
import * as random from './random.js';
import * as practice from './practice.js';
import * as live from './live.js';

const views = { solve, browse, edit, play, random, practice, live };
Card.views = [['edit', 'Edit'], ['play', 'Play']];
let current = '';
settings.begin();

// A server that has gone is said at once, not at the next question.
const KNOCK = 3000; // ms
watchServer((there) => { document.getElementById('gone').hidden = there; });
setInterval(() => document.hidden || knock(), KNOCK);
addEventListener('visibilitychange', () => document.hidden || knock());

// The page of a watcher begins with what it sees.
const about = await games();
const first = about.live ? 'live' : 'solve';

// A place in the page is #view or #view?f=family&t=text.
function go() {
  const [name, query] = location.hash.slice(1).split('?');
  if (name === 'main') return;
  const view = views[name] ? name : first;
  if (view !== current) {
    if (current) views[current].hide?.();
    current = view;
    for (const section of document.querySelectorAll('.view')) section.hidden = section.id !== view;
    for (const a of document.querySelectorAll('nav [data-view]')) {
      if (a.dataset.view === view) a.setAttribute('aria-current', 'page');
      else a.removeAttribute('aria-current');
    }
    document.title = `${document.getElementById(view).querySelector('h2').textContent} – onlooker`;
  }
  const asked = new URLSearchParams(query);
  let board = null, trouble = '';
  if (asked.get('f') && asked.get('t')) {
    try { board = { family: asked.get('f'), text: unpack(asked.get('t')) }; } catch { trouble = 'the address has no board that can be read: it was cut off, or changed'; }
  }
  if (board && views[view].showBoard) views[view].showBoard(board);
  else views[view].show?.(asked, trouble);
}
addEventListener('hashchange', go);
go();
if (about.given && current === 'solve') solve.take(await given(about.given));

// Anything dropped or pasted outside a field is solved.
const drop = document.getElementById('drop');
let depth = 0;
addEventListener('dragenter', (e) => { e.preventDefault(); depth++; drop.hidden = false; });
addEventListener('dragleave', () => { if (--depth <= 0) drop.hidden = true; });
addEventListener('dragover', (e) => e.preventDefault());
addEventListener('drop', (e) => {
  e.preventDefault();
  depth = 0;
  drop.hidden = true;
  taken(e.dataTransfer);
});
addEventListener('paste', (e) => {
  const file = e.clipboardData.files[0];
  if (!file && /^(INPUT|TEXTAREA)$/.test(e.target.tagName)) return;
  e.preventDefault();
  taken(e.clipboardData);
});

async function taken(data) {
  const file = data.files[0], text = data.getData('text');
  if (!file && !text.trim()) return;
  if (current !== 'solve') {
    history.pushState(null, '', '#solve');
    go();
  }
  if (file) {
    await solve.take(file);
  } else {
    document.getElementById('paste-text').value = text.length < 20000 ? text : '';
    await solve.solveText(text);
  }
}
