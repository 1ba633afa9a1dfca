// The pieces of a board as polygons in cells. Sizes in units of the pitch are
// medians measured on the game.

export function disc(x, y, r, n = 28) {
  const out = [];
  for (let i = 0; i < n; i++) out.push([x + r * Math.cos((2 * Math.PI * i) / n), y + r * Math.sin((2 * Math.PI * i) / n)]);
  return out;
}

export function bar(x0, y0, x1, y1, w) {
  const l = Math.hypot(x1 - x0, y1 - y0) || 1;
  const nx = (-(y1 - y0) / l) * (w / 2), ny = ((x1 - x0) / l) * (w / 2);
  return [[x0 + nx, y0 + ny], [x1 + nx, y1 + ny], [x1 - nx, y1 - ny], [x0 - nx, y0 - ny]];
}

export function box(x0, y0, x1, y1) { return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]; }

function rounded(x, y, size, r) {
  const h = size / 2 - r, out = [];
  for (const [sx, sy, a0] of [[1, 1, 0], [-1, 1, 90], [-1, -1, 180], [1, -1, 270]]) {
    for (let a = 0; a <= 90; a += 15) {
      const rad = ((a0 + a) * Math.PI) / 180;
      out.push([x + sx * h + r * Math.cos(rad), y + sy * h + r * Math.sin(rad)]);
    }
  }
  return out;
}

function star(x, y, tips, outer, inner) {
  const out = [];
  for (let i = 0; i < 2 * tips; i++) {
    const r = i % 2 ? inner : outer, a = (Math.PI * i) / tips;
    out.push([x + r * Math.sin(a), y - r * Math.cos(a)]);
  }
  return out;
}

function turned(points, x, y, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return points.map(([a, b]) => [x + (a - x) * c - (b - y) * s, y + (a - x) * s + (b - y) * c]);
}

// symbol lists the polygons of what a cell holds.
export function symbol(s) {
  const x = s.X / 2, y = s.Y / 2;
  switch (s.Kind) {
    case 'square': return [rounded(x, y, 0.345, 0.1)];
    case 'star': return [star(x, y, 8, 0.1875, 0.1445)]; // .375 tip to tip, fills .59 of its box
    case 'triangle': {
      const out = [];
      for (let i = 0; i < s.Count; i++) {
        const cx = x + (i - (s.Count - 1) / 2) * 0.284, cy = y - 0.024;
        out.push([[cx, cy - 0.095], [cx + 0.11, cy + 0.095], [cx - 0.11, cy + 0.095]]);
      }
      return out;
    }
    case 'polyomino':
    case 'negative': {
      let w = 0, h = 0;
      for (const [a, b] of s.Shape) { w = Math.max(w, a); h = Math.max(h, b); }
      return s.Shape.map(([a, b]) => {
        const cx = x + (a - w / 2) * 0.18, cy = y + (b - h / 2) * 0.18, r = 0.0725;
        const square = box(cx - r, cy - r, cx + r, cy + r);
        return s.Turnable ? turned(square, x, y, 0.26) : square;
      });
    }
    case 'eraser': {
      const out = [];
      for (const a of [-60, 60, 180]) {
        const rad = (a * Math.PI) / 180;
        out.push(bar(x, y, x + 0.14 * Math.sin(rad), y - 0.14 * Math.cos(rad), 0.07));
      }
      return out;
    }
  }
  return [];
}

// hexagon is as wide as the line and .87 as high, points left and right.
export function hexagon(x, y, line) {
  const out = [];
  for (let i = 0; i < 6; i++) {
    const a = (Math.PI * i) / 3;
    out.push([x + (line / 2) * Math.cos(a), y + (line / 2) * Math.sin(a)]);
  }
  return out;
}

// structure lists the polygons of a board's lines: edges, nodes, starts, caps.
export function structure(board, look) {
  const out = [], w = look.line;
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      const across = x % 2 === 1 && y % 2 === 0, up = x % 2 === 0 && y % 2 === 1;
      const gap = board.gap(x, y);
      if (x % 2 === 0 && y % 2 === 0 && gap !== 2) out.push(disc(x / 2, y / 2, w / 2));
      if ((!across && !up) || gap === 2) continue;
      const dx = across ? 0.5 : 0, dy = up ? 0.5 : 0, cx = x / 2, cy = y / 2;
      if (!gap) {
        out.push(bar(cx - dx, cy - dy, cx, cy, w), bar(cx, cy, cx + dx, cy + dy, w));
        continue;
      }
      const f = look.gap; // of the pitch: the stubs leave so much between them
      out.push(bar(cx - dx, cy - dy, cx - dx * f, cy - dy * f, w), bar(cx + dx * f, cy + dy * f, cx + dx, cy + dy, w));
    }
  }
  for (const s of board.starts()) out.push(disc(s.X / 2, s.Y / 2, w * look.start, 40));
  for (const s of board.ends()) {
    const [cx, cy] = s.Cap, l = Math.hypot(cx, cy), x = s.X / 2, y = s.Y / 2;
    const tx = x + (cx / l) * look.cap, ty = y + (cy / l) * look.cap;
    out.push(bar(x, y, tx, ty, w), disc(tx, ty, w / 2));
  }
  return out;
}

// line lists the polygons of a traced line through points (cells).
export function line(points, look) {
  const w = look.line, out = [disc(points[0][0], points[0][1], w * look.start, 40)];
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i];
    const xm = (x0 + x1) / 2, ym = (y0 + y1) / 2;
    out.push(bar(x0, y0, xm, ym, w), bar(xm, ym, x1, y1, w), disc(x1, y1, w / 2));
  }
  return out;
}
