// Where a board is seen: projections from cells to pixels of the canvas.

// flat returns the projection of a cols × rows board onto a quad given as TL,
// TR, BR, BL pixel positions of its corner nodes.
export function flat(cols, rows, quad) {
  const [p0, p1, p2, p3] = quad;
  // Heckbert's square-to-quad homography, on the unit square.
  const dx1 = p1[0] - p2[0], dx2 = p3[0] - p2[0], dx3 = p0[0] - p1[0] + p2[0] - p3[0];
  const dy1 = p1[1] - p2[1], dy2 = p3[1] - p2[1], dy3 = p0[1] - p1[1] + p2[1] - p3[1];
  const det = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / det, h = (dx1 * dy3 - dx3 * dy1) / det;
  const a = p1[0] - p0[0] + g * p1[0], b = p3[0] - p0[0] + h * p3[0];
  const d = p1[1] - p0[1] + g * p1[1], e = p3[1] - p0[1] + h * p3[1];
  const project = (u, v) => {
    u /= cols;
    v /= rows;
    const w = g * u + h * v + 1;
    return [(a * u + b * v + p0[0]) / w, (d * u + e * v + p0[1]) / w];
  };
  return { project, clip: null, pillar: false, cols, rows };
}

// pillar returns the projection of a board wrapped round an upright cylinder
// about x = cx whose middle row is at cy; pitch is the height of a cell at its
// front. column is the u that faces the viewer.
export function pillar(cols, rows, cx, cy, pitch, column) {
  const radius = cols / (2 * Math.PI);
  // 15 radii away: the rows of a real pillar bend by 6 % from front to side.
  const away = 15 * radius;
  const scale = pitch * (away - radius);
  const project = (u, v) => {
    const a = (u - column) / radius;
    const z = away - radius * Math.cos(a);
    return [cx + (scale * radius * Math.sin(a)) / z, cy + (scale * (v - rows / 2)) / z];
  };
  const limit = Math.acos(radius / away) - 0.02;
  return { project, clip: [column - limit * radius, column + limit * radius], pillar: true, cols, rows, column, radius };
}

// inverse returns the change in cells that moves a projected point (u,v) by
// (dx,dy) pixels.
export function inverse(view, u, v, dx, dy) {
  if (view.pillar) u = view.column + Math.max(-0.9, Math.min(0.9, u - view.column));
  const e = 0.01;
  const o = view.project(u, v), a = view.project(u + e, v), b = view.project(u, v + e);
  const ax = (a[0] - o[0]) / e, ay = (a[1] - o[1]) / e, bx = (b[0] - o[0]) / e, by = (b[1] - o[1]) / e;
  const det = ax * by - bx * ay;
  return [(dx * by - dy * bx) / det, (dy * ax - dx * ay) / det];
}

// pitch is the size of a cell in pixels about (u,v).
export function pitch(view, u, v) {
  const o = view.project(u, v), a = view.project(u + 0.01, v), b = view.project(u, v + 0.01);
  return 50 * (Math.hypot(a[0] - o[0], a[1] - o[1]) + Math.hypot(b[0] - o[0], b[1] - o[1]));
}

function clipAt(points, x, keepLess) {
  const out = [];
  const inside = (p) => (keepLess ? p[0] <= x : p[0] >= x);
  for (let i = 0; i < points.length; i++) {
    const p = points[i], q = points[(i + 1) % points.length];
    if (inside(p)) out.push(p);
    if (inside(p) !== inside(q)) out.push([x, p[1] + ((q[1] - p[1]) * (x - p[0])) / (q[0] - p[0])]);
  }
  return out;
}

// outline projects a polygon of cells to pixels: on a pillar it is brought
// round to the viewer's side, cut at the rim and bent.
export function outline(view, points) {
  if (view.clip) {
    let middle = 0;
    for (const p of points) middle += p[0] / points.length;
    const turns = Math.round((middle - view.column) / view.cols) * view.cols;
    points = points.map((p) => [p[0] - turns, p[1]]);
    points = clipAt(points, view.clip[0], false);
    points = clipAt(points, view.clip[1], true);
    if (points.length < 3) return null;
    const fine = [];
    for (let i = 0; i < points.length; i++) {
      const p = points[i], q = points[(i + 1) % points.length];
      const n = Math.max(1, Math.ceil(Math.abs(q[0] - p[0]) / 0.06));
      for (let k = 0; k < n; k++) fine.push([p[0] + ((q[0] - p[0]) * k) / n, p[1] + ((q[1] - p[1]) * k) / n]);
    }
    points = fine;
  }
  const out = points.map((p) => view.project(p[0], p[1]));
  let area = 0;
  for (let i = 0; i < out.length; i++) {
    const p = out[i], q = out[(i + 1) % out.length];
    area += p[0] * q[1] - q[0] * p[1];
  }
  return area < 0 ? out.reverse() : out; // one winding, so that overlapping pieces fill as one
}
