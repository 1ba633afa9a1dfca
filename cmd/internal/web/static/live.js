// Live: what the agent sees, with the answers drawn over it.

import { games } from './api.js';
import { make } from './svg.js';

const $ = (id) => document.getElementById(id);
let events = null;

export function hide() {
  events?.close();
  events = null;
}

export async function show() {
  if (!(await games()).live) {
    $('told-state').textContent = 'Nothing watches the screen here. Start "onlooker watch --serve :0": its page has the screen in this view.';
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
  const over = $('over');
  over.setAttribute('viewBox', `0 0 ${seen.width} ${seen.height}`);
  over.replaceChildren();
  $('told').replaceChildren();
  for (const board of seen.boards) {
    over.append(make('polygon', { points: board.quad.map((p) => p.join(',')).join(' '), class: board.status, 'stroke-width': 3 }));
    for (const line of board.lines) {
      const points = line.points.map((p) => p.join(',')).join(' '), [x, y] = line.points[0];
      over.append(make('circle', { cx: x, cy: y, r: board.width, fill: '#fff', stroke: '#000' }));
      over.append(make('polyline', { points, class: 'under', 'stroke-width': board.width * 1.5 }), make('polyline', { points, class: 'line', 'stroke-width': board.width }));
    }
    const p = document.createElement('p');
    p.textContent = `${[board.family, board.place].filter(Boolean).join(', ')}: ${board.lines.length ? 'solved' : board.error || board.status}`;
    $('told').append(p);
  }
  $('told-state').textContent = (seen.state ? `${seen.state}. ` : '') + Object.entries(seen.millis).map(([stage, took]) => `${stage} ${took.toFixed(0)} ms`).join(', ');
}
