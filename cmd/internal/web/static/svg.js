// Pictures that the server drew, and what is laid over them.

const NS = 'http://www.w3.org/2000/svg';

export function make(name, attributes = {}, words) {
  const e = document.createElementNS(NS, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (words !== undefined) e.textContent = words;
  return e;
}

// parse turns the server's text into an element of this document.
export function parse(text) {
  const doc = new DOMParser().parseFromString(text, 'image/svg+xml');
  return document.importNode(doc.documentElement, true);
}

// show puts a picture into a box in place of the one before, and returns it.
export function show(host, text, label) {
  if (!text) {
    host.replaceChildren('This board is too large to draw.');
    return null;
  }
  const svg = parse(text);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  host.replaceChildren(svg);
  return svg;
}

// placeName names a half-cell as all messages of onlooker do: counted from 1.
export function placeName([x, y]) {
  const col = x >> 1, row = y >> 1;
  if (x & 1 && y & 1) return `column ${col + 1} row ${row + 1}`;
  if (!(x & 1) && !(y & 1)) return `corner column ${col + 1} row ${row + 1}`;
  if (x & 1) return row ? `edge under column ${col + 1} row ${row}` : `edge over column ${col + 1} row 1`;
  return col ? `edge right of column ${col} row ${row + 1}` : `edge left of column 1 row ${row + 1}`;
}

// arrows are the ways that arrow keys go, and toward is the place that lies nearest that way.
export const arrows = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export function toward(places, from, [dx, dy]) {
  let best = null;
  for (const p of places) {
    const x = p.shown[0] - from.shown[0], y = p.shown[1] - from.shown[1];
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx), cost = along + 2 * aside;
    if (along > 0.01 && aside <= along + 0.01 && (!best || cost < best.cost)) best = { cost, p };
  }
  return best?.p;
}

// where is a pointer in the picture of a box.
export function where(host, e) {
  const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(host.querySelector('svg').getScreenCTM().inverse());
  return [p.x, p.y];
}

// rings marks places of a picture.
export function rings(svg, places) {
  for (const [x, y] of places ?? []) {
    for (const c of ['halo', 'ring']) svg?.append(make('circle', { cx: x, cy: y, r: 0.8, class: c }));
  }
}

// trace lays a stroke of an answer over a picture: from a disc to an arrowhead. One point
// alone is a click.
export function trace(over, points, width) {
  const first = points[0], last = points.at(-1), before = points.at(-2);
  const [x, y] = before ? [last[0] - before[0], last[1] - before[1]] : [0, 0];
  const r = (1.7 * width) / (Math.hypot(x, y) || 1);
  const wing = (side) => [last[0] - r * (0.8 * x + side * 0.6 * y), last[1] - r * (0.8 * y - side * 0.6 * x)];
  const text = (list) => list.map((p) => p.map((v) => v.toFixed(1)).join(',')).join(' ');
  for (const [kind, wide] of before ? [['under', 1.5], ['line', 1]] : []) {
    over.append(make('polyline', { points: text(points), class: kind, 'stroke-width': wide * width }),
      make('path', { d: `M${text([wing(1), last, wing(-1)])}`, class: kind, 'stroke-width': wide * width }));
  }
  over.append(make('circle', { cx: first[0], cy: first[1], r: before ? width : 2 * width, fill: '#fff', stroke: '#000' }));
}

// cross crosses out a board that has no answer.
export function cross(over, { quad: [a, b, c, d], width }) {
  for (const [[x1, y1], [x2, y2]] of [[a, c], [b, d]]) over.append(make('line', { x1, y1, x2, y2, class: 'cross', 'stroke-width': 1.5 * width }));
}

// lay draws what was seen in a frame over it: the answers, and a cross over what has none.
export function lay(over, seen) {
  over.setAttribute('viewBox', `0 0 ${seen.width} ${seen.height}`);
  over.replaceChildren();
  for (const board of seen.boards) {
    over.append(make('polygon', { points: board.quad.map((p) => p.join(',')).join(' '), class: board.status, 'stroke-width': 3 }));
    if (board.status === 'unsolvable') cross(over, board);
    for (const line of board.lines) trace(over, line, board.width);
  }
}

// times is how long each stage of a look took.
export const times = (seen) => Object.entries(seen.millis ?? {}).map(([stage, took]) => `${stage} ${took.toFixed(0)} ms`).join(', ');
