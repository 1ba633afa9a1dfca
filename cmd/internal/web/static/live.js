// Live: what the agent sees, with the answers drawn over it.

import { games } from './api.js';
import { putRight } from './solve.js';
import { lay, times } from './svg.js';

const $ = (id) => document.getElementById(id);
let events = null;

export function hide() {
  events?.close();
  events = null;
}

export async function show() {
  if (!(await games()).live) {
    $('live-help').hidden = false;
    return;
  }
  events = new EventSource('live/events');
  events.addEventListener('frame', (e) => {
    $('frame').hidden = false;
    $('frame').src = `live/frame.jpg?${e.data}`;
  });
  events.addEventListener('look', (e) => look(JSON.parse(e.data)));
  events.onerror = () => { $('told-state').textContent = 'the connection is lost; trying again'; };
}

function look(seen) {
  lay($('over'), seen);
  const said = seen.boards.map((board) => `${board.title}${board.place ? `, ${board.place}` : ''}: ${board.lines.length ? 'solved' : board.error || board.status}`);
  const told = [...seen.say ?? [], ...said].map((words) => Object.assign(document.createElement('p'), { textContent: words }));
  seen.boards.forEach((board, i) => {
    if (!board.draft) return;
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'put', textContent: 'Put it right' });
    button.addEventListener('click', async () => {
      const frame = await (await fetch('live/frame.png')).blob();
      putRight(new File([frame], 'frame.png', { type: 'image/png' }), seen, board);
    });
    told[told.length - said.length + i].append(' ', button);
  });
  $('told').replaceChildren(...told);
  $('told-state').textContent = (seen.state ? `${seen.state}. ` : '') + times(seen);
}
