// Draws what is seen at one place: rock, the panels' housings, the boards.

import { flat, pillar, outline } from './view.js';
import { disc, box, symbol, hexagon, structure, line } from './shapes.js';

export function random(seed) { // mulberry32
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function channels(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

// mix goes from a to b by f.
export function mix(a, b, f) {
  const p = channels(a), q = channels(b);
  return `#${p.map((v, i) => Math.round(v + (q[i] - v) * f).toString(16).padStart(2, '0')).join('')}`;
}

export function fill(ctx, view, polygons, colour) {
  ctx.beginPath();
  for (const polygon of polygons) {
    const out = outline(view, polygon);
    if (!out) continue;
    ctx.moveTo(out[0][0], out[0][1]);
    for (let i = 1; i < out.length; i++) ctx.lineTo(out[i][0], out[i][1]);
    ctx.closePath();
  }
  ctx.fillStyle = colour;
  ctx.fill();
}

// extent is the pixels of what takes one of a screen of 1080 lines. In a window
// that is higher than wide, as a phone held upright, the place fills the width.
export function extent(kind, w, h) {
  let wide = (kind.size ?? 0) * (1 + (2 * margin(kind) + 0.3) / kind.cells[0]) + 20;
  if (kind.place === 'triple') wide += kind.size * 3.24;
  if (kind.place === 'pedestal') wide = 790;
  if (kind.place === 'pillar') wide = (kind.pitch * kind.cells[0]) / 3 + 100;
  return Math.min((w < h ? 1.4 : 1) * h / 1080, w / wide);
}

// views lists the views of a slot's boards on a canvas of w × h pixels. turn
// is the column that faces the viewer on a pillar.
export function views(kind, boards, w, h, seed, turn) {
  const s = extent(kind, w, h), cx = w / 2, cy = h / 2, rng = random(seed);
  const lean = () => (rng() - 0.5) * 10 * s;
  switch (kind.place) {
    case 'pillar':
      return boards.map((b) => pillar(b.cols, b.rows, cx, cy, kind.pitch * s, turn));
    case 'pedestal': {
      // Lies before the player, who stands at its near left; corners measured from its middle.
      const x = cx + (rng() - 0.5) * 40 * s, y = cy + 30 * s, k = 1.4 * s;
      const quad = [[-95, -90], [171, -55], [145, 109], [-220, 38]].map(([a, b]) => [x + k * a, y + k * b]);
      return boards.map((b) => flat(b.cols, b.rows, quad));
    }
    case 'triple': {
      const half = (kind.size / 2) * s, step = (kind.size * 1.62) * s, y = cy - 60 * s;
      return boards.map((b, i) => {
        const x = cx + (i - 1) * step, k = (i - 1) * 0.03 * half; // the outer two turn a little towards the viewer
        return flat(b.cols, b.rows, [[x - half, y - half - k], [x + half, y - half + k], [x + half, y + half - k], [x - half, y + half + k]]);
      });
    }
  }
  const half = (kind.size / 2) * s, tilt = lean();
  return boards.map((b) => {
    const hx = half, hy = (half * b.rows) / b.cols, e = lean() / 3;
    return flat(b.cols, b.rows, [[cx - hx + tilt, cy - hy], [cx + hx - tilt, cy - hy + e], [cx + hx, cy + hy], [cx - hx, cy + hy + e]]);
  });
}

// rock paints the surroundings over the whole canvas.
export function rock(ctx, w, h, p, place, seed) {
  const rng = random(seed ^ 0x51ed);
  const s = h / 1080;
  ctx.fillStyle = p.rock;
  ctx.fillRect(0, 0, w, h);
  const light = ctx.createRadialGradient(w * (0.4 + 0.2 * rng()), h * 0.5, 0, w * 0.5, h * 0.5, w * 0.62);
  light.addColorStop(0, p.glow);
  light.addColorStop(0.45, mix(p.glow, p.rock, 0.55));
  light.addColorStop(1, p.deep);
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, w, h);
  // Facets of rock, mostly off the middle.
  for (let i = 0; i < 16; i++) {
    const x = rng() < 0.5 ? rng() * w * 0.33 : w * (0.67 + rng() * 0.33), y = rng() * h;
    ctx.beginPath();
    for (let k = 0; k < 4; k++) {
      const a = (k + rng() * 0.8) * 1.57, r = (60 + 190 * rng()) * s;
      ctx.lineTo(x + r * Math.cos(a), y + r * Math.sin(a) * 0.8);
    }
    ctx.closePath();
    ctx.fillStyle = rng() < 0.5 ? 'rgba(0,0,0,0.10)' : 'rgba(255,220,160,0.035)';
    ctx.fill();
  }
  const edge = ctx.createRadialGradient(w / 2, h / 2, h * 0.45, w / 2, h / 2, w * 0.6);
  edge.addColorStop(0, 'rgba(0,0,0,0)');
  edge.addColorStop(1, 'rgba(0,0,0,0.6)');
  ctx.fillStyle = edge;
  ctx.fillRect(0, 0, w, h);
}

// margin is how far a board's face reaches beyond its outer nodes: just past
// the tips of the caps.
export function margin(kind) { return Math.max(kind.cap + kind.line * 0.5, kind.line * kind.start) + 0.03; }

function rim(view, m) { return box(-m, -m, view.cols + m, view.rows + m); }

// housing paints what a board sits in.
export function housing(ctx, view, kind, p, w, h) {
  const s = extent(kind, w, h);
  if (view.pillar) {
    const top = view.project(view.column, -0.75)[1], bottom = view.project(view.column, view.rows + 0.75)[1];
    const left = view.project(view.clip[0], 3)[0], right = view.project(view.clip[1], 3)[0];
    const stone = ctx.createLinearGradient(left, 0, right, 0);
    stone.addColorStop(0, p.deep);
    stone.addColorStop(0.5, mix(p.frame, p.glow, 0.7));
    stone.addColorStop(1, p.deep);
    ctx.fillStyle = stone;
    ctx.fillRect(left + 6 * s, 0, right - left - 12 * s, top + 20 * s);
    ctx.fillRect(left + 6 * s, bottom - 20 * s, right - left - 12 * s, h);
    ctx.fillRect(left - 30 * s, bottom + 90 * s, right - left + 60 * s, h);
    return;
  }
  const a = margin(kind), unit = view.cols / 4; // frames are as wide on a fine board as on a coarse one
  if (kind.place === 'column' || kind.place === 'triple') { // hangs from two rods
    for (const u of [0.02, 0.98]) {
      const [x, y] = view.project(u * view.cols, -a - 0.15 * unit);
      ctx.fillStyle = mix(p.frame, '#000000', 0.3);
      ctx.fillRect(x - 1.5 * s, 0, 3 * s, y);
    }
  }
  if (kind.place === 'pedestal') { // the block under the plate
    const o = [[-a, view.rows + a], [view.cols + a, view.rows + a]].map(([u, v]) => view.project(u * 1.05, v * 1.04));
    ctx.beginPath();
    ctx.moveTo(o[0][0], o[0][1]);
    ctx.lineTo(o[1][0], o[1][1]);
    ctx.lineTo(o[1][0] - 20 * s, h);
    ctx.lineTo(o[0][0] + 40 * s, h);
    ctx.closePath();
    ctx.fillStyle = mix(p.deep, p.rock, 0.5);
    ctx.fill();
  }
  fill(ctx, view, [rim(view, a + 0.18 * unit)], mix(p.frame, '#000000', 0.55));
  fill(ctx, view, [rim(view, a + 0.15 * unit)], p.frame);
}

// board paints one board at full light.
export function board(ctx, view, b, kind, p, symbols, h) {
  if (view.pillar) {
    const rings = [];
    for (let i = 0; i < view.cols; i++) rings.push(box(i, -0.62, i + 1, view.rows + 0.62));
    fill(ctx, view, rings, p.cell);
  } else {
    const m = margin(kind);
    fill(ctx, view, [rim(view, m)], p.cell);
    if (kind.place === 'pedestal') { // the cells are wells with a darker, redder floor: 30,16,1 in 37,30,14 in the game
      for (let r = 0; r < b.rows; r++) {
        for (let c = 0; c < b.cols; c++) {
          const w = kind.line / 2;
          fill(ctx, view, [box(c + w + 0.14, r + w + 0.1, c + 1 - w - 0.1, r + 1 - w - 0.14)], mix(mix(p.cell, '#000000', 0.4), p.frame, 0.12));
        }
      }
    }
    if (kind.place === 'wall' || kind.place === 'column') { // brighter towards the middle
      const [x0, y0] = view.project(view.cols / 2, view.rows / 2), [x1] = view.project(view.cols, view.rows / 2);
      const sheen = ctx.createRadialGradient(x0, y0, 0, x0, y0, (x1 - x0) * 1.5);
      sheen.addColorStop(0, 'rgba(255,255,255,0.05)');
      sheen.addColorStop(0.6, 'rgba(255,255,255,0)');
      sheen.addColorStop(1, 'rgba(0,0,0,0.22)');
      fill(ctx, view, [rim(view, m)], sheen);
    }
  }
  if (b.dark) return; // off: a plain face
  fill(ctx, view, structure(b, kind), p.line);
  for (const spot of b.spots.values()) {
    if (spot.Kind) {
      const colour = spot.Kind === 'triangle' ? p.icon || symbols[spot.Colour] : p[spot.Colour] || symbols[spot.Colour] || spot.Colour;
      fill(ctx, view, symbol(spot), colour);
    }
  }
  for (const spot of b.spots.values()) if (spot.Dot) dot(ctx, view, spot, kind, p, symbols);
}

export function dot(ctx, view, spot, kind, p, symbols) {
  const name = spot.Dot;
  const colour = name === 'black' ? p.dot || p.black || symbols.black : symbols[name] || name;
  fill(ctx, view, [hexagon(spot.X / 2, spot.Y / 2, kind.line * 0.92)], colour);
}

// trace paints a line (cells) over a board, and the dots that it covers over
// it again, darker.
export function trace(ctx, view, b, kind, points, colour) {
  fill(ctx, view, line(points, kind), colour);
  for (const spot of b.spots.values()) {
    if (!spot.Dot) continue;
    const x = spot.X / 2, y = spot.Y / 2;
    for (let i = 1; i < points.length; i++) {
      const [x0, y0] = points[i - 1], [x1, y1] = points[i];
      const n = b.pillar ? b.cols : 1e9;
      const wrapTo = (v) => v - Math.round((v - (x0 + x1) / 2) / n) * n;
      const wx = wrapTo(x);
      if (Math.min(x0, x1) - 0.01 <= wx && wx <= Math.max(x0, x1) + 0.01 && Math.min(y0, y1) - 0.01 <= y && y <= Math.max(y0, y1) + 0.01) {
        fill(ctx, view, [hexagon(x, y, kind.line * 0.8)], 'rgba(0,0,0,0.45)');
        break;
      }
    }
  }
}

export { disc };
