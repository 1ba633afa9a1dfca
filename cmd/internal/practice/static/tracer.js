// The line that a player traces: a head that slides along the edges of a
// board. Lengths are in cells; nodes have whole coordinates. On a pillar x
// runs on past the seam.
//
// The rules of motion, the same whatever device moves the head:
//   along an edge the head takes the part of the motion that runs along it;
//   pushed against a wall, a third of the push leaks sideways, towards the
//   nearest corner at which the push could turn (along the wall at a node),
//   and the rest of that frame's push is lost;
//   the head stops before a break, before its own line and before the other.

import { Board } from './board.js';

const LEAK = 1 / 3;
const TINY = 1e-7;
const DIRECTIONS = [[1, 0], [-1, 0], [0, 1], [0, -1]];

export class Tracer {
  // start is in half-cells; look gives line, gap and cap: the width of a
  // line, of a break, and the length of an end's cap, in cells.
  constructor(board, start, look) {
    this.board = board;
    this.look = look;
    this.nodes = [[start[0] / 2, start[1] / 2]];
    this.dir = null; // the edge or cap that the head is on, from the last node
    this.t = 0; // how far along it
  }

  get last() { return this.nodes[this.nodes.length - 1]; }

  head() {
    const [x, y] = this.last;
    return this.dir ? [x + this.dir.x * this.t, y + this.dir.y * this.t] : [x, y];
  }

  // points lists the line from its start to its head, the head included.
  points() {
    return this.dir && this.t > 0 ? [...this.nodes, this.head()] : [...this.nodes];
  }

  // mirrored lists the other line of a symmetric board.
  mirrored() {
    if (!this.board.symmetry) return null;
    return this.points().map(([x, y]) => this.board.image(2 * x, 2 * y).map((v) => v / 2));
  }

  inCap() { return !!this.dir && this.dir.cap && this.t >= this.look.cap * 0.5; }

  // stroke is the answer in half-cells; only meaningful in a cap.
  stroke() {
    const s = this.nodes.map(([x, y]) => [2 * x, 2 * y]);
    const [x, y] = s[s.length - 1];
    s.push([x + Math.sign(this.dir.x), y + Math.sign(this.dir.y)]);
    return s;
  }

  visited(x, y) {
    const k = this.board.key(2 * x, 2 * y);
    return this.nodes.some(([a, b]) => this.board.key(2 * a, 2 * b) === k);
  }

  visitedByOther(x, y) {
    if (!this.board.symmetry) return false;
    const k = this.board.key(2 * x, 2 * y);
    return this.nodes.some(([a, b]) => {
      const [ix, iy] = this.board.image(2 * a, 2 * b);
      return this.board.key(ix, iy) === k;
    });
  }

  // reach is how far the head may go from node n in direction d: 1 is the next
  // node.
  reach(n, d) {
    const b = this.board, { line, gap } = this.look;
    const ex = 2 * n[0] + d[0], ey = 2 * n[1] + d[1];
    const stop = Math.max(0, (1 - gap - line) / 2);
    let far = 1;
    const blocked = (x, y) => {
      const g = b.gap(x, y);
      if (g === 2) far = 0;
      else if (g === 1) far = Math.min(far, stop);
    };
    blocked(ex, ey);
    if (far === 0) return 0;
    const tx = n[0] + d[0], ty = n[1] + d[1];
    if (b.gap(2 * tx, 2 * ty) === 2) return 0;
    if (this.visited(tx, ty)) far = Math.min(far, 1 - line);
    if (b.symmetry) {
      const [ix, iy] = b.image(ex, ey);
      blocked(ix, iy);
      const itself = b.key(ix, iy) === b.key(ex, ey);
      if (itself) far = Math.min(far, (1 - line) / 2);
      const [jx, jy] = b.image(2 * tx, 2 * ty);
      if (b.key(jx, jy) === b.key(2 * tx, 2 * ty)) far = Math.min(far, 1 - line / 2);
      if (this.visitedByOther(tx, ty)) far = Math.min(far, 1 - line);
    }
    return Math.max(0, far);
  }

  // ways lists where the head may go from its last node, the way back included.
  ways() {
    const n = this.last, out = [];
    const prev = this.nodes[this.nodes.length - 2];
    for (const d of DIRECTIONS) {
      if (prev && n[0] + d[0] === prev[0] && n[1] + d[1] === prev[1]) {
        out.push({ x: d[0], y: d[1], back: true, reach: 1 });
        continue;
      }
      const reach = this.reach(n, d);
      if (reach > TINY) out.push({ x: d[0], y: d[1], reach });
    }
    const cap = this.board.at(2 * n[0], 2 * n[1])?.Cap;
    if (cap) {
      const l = Math.hypot(cap[0], cap[1]);
      out.push({ x: cap[0] / l, y: cap[1] / l, cap: true, reach: this.look.cap });
    }
    return out;
  }

  // way finds where a motion of (mx,my) leads from a node: the way, and how
  // much of the motion it takes.
  way(mx, my) {
    const ways = this.ways();
    const slant = ways.find((w) => w.cap && w.x && w.y);
    if (slant && mx * slant.x + my * slant.y > 0.92 * Math.max(Math.abs(mx), Math.abs(my))) {
      return { way: slant, amount: mx * slant.x + my * slant.y };
    }
    const across = Math.abs(mx) >= Math.abs(my);
    const main = across ? [Math.sign(mx), 0] : [0, Math.sign(my)];
    const side = across ? [0, Math.sign(my)] : [Math.sign(mx), 0];
    const find = (d) => (d[0] || d[1]) && ways.find((w) => w.x === d[0] && w.y === d[1]);
    let way = find(main);
    if (way) return { way, rest: true };
    const push = Math.max(Math.abs(mx), Math.abs(my)), slide = Math.min(Math.abs(mx), Math.abs(my));
    if (slant && mx * slant.x + my * slant.y > 0) return { way: slant, amount: mx * slant.x + my * slant.y };
    way = find(side);
    if (way) return { way, amount: way.back ? slide : slide + push * LEAK };
    return null;
  }

  // take sets out on a way from the last node.
  take(way) {
    if (way.back) {
      const n = this.nodes.pop(), p = this.last;
      this.dir = { x: n[0] - p[0], y: n[1] - p[1], reach: 1 };
      this.t = 1;
    } else {
      this.dir = way;
      this.t = 0;
    }
  }

  // turnable tells whether a push of (sx,sy) could turn at the near (0) or far
  // (1) node of the edge that the head is on.
  turnable(end, sx, sy) {
    const [x, y] = this.last, d = this.dir;
    const capped = (i, j) => {
      const cap = this.board.at(2 * i, 2 * j)?.Cap;
      return !!cap && cap[0] === sx && cap[1] === sy;
    };
    if (end === 0) {
      if (capped(x, y)) return true;
      const prev = this.nodes[this.nodes.length - 2];
      if (prev && prev[0] === x + sx && prev[1] === y + sy) return true;
      return this.reach([x, y], [sx, sy]) > TINY;
    }
    if (d.cap || d.reach < 1) return false;
    if (capped(x + d.x, y + d.y)) return true;
    return this.reach([x + d.x, y + d.y], [sx, sy]) > TINY;
  }

  arrive() {
    const [x, y] = this.last;
    this.nodes.push([x + this.dir.x, y + this.dir.y]);
    this.dir = null;
    this.t = 0;
  }

  // move carries the head by one frame's motion, in cells.
  move(mx, my) {
    for (let guard = 0; guard < 64 && Math.abs(mx) + Math.abs(my) > TINY; guard++) {
      if (!this.dir) {
        const step = this.way(mx, my);
        if (!step) return;
        const back = step.way.back;
        const forward = back ? -1 : 1;
        this.take(step.way);
        if (!step.rest) {
          const d = this.dir;
          mx = d.x * step.amount * forward;
          my = d.y * step.amount * forward;
        }
      }
      const d = this.dir;
      const along = mx * d.x + my * d.y;
      const sx = mx - along * d.x, sy = my - along * d.y;
      const t = this.t + along;
      if (t > d.reach - TINY && !d.cap && d.reach === 1) {
        const over = Math.max(0, t - 1);
        this.arrive();
        mx = d.x * over + sx;
        my = d.y * over + sy;
        continue;
      }
      if (t < TINY && along < 0) {
        const over = Math.min(0, t);
        this.dir = null;
        this.t = 0;
        mx = d.x * over + sx;
        my = d.y * over + sy;
        continue;
      }
      this.t = Math.min(t, d.reach);
      const side = Math.hypot(sx, sy);
      if (side > Math.abs(along) && !(d.x && d.y)) this.slide(Math.sign(sx), Math.sign(sy), side * LEAK);
      return;
    }
  }

  // slide leaks along the edge towards the nearest corner where a push of
  // (sx,sy) could turn.
  slide(sx, sy, leak) {
    if (Math.abs(sx) + Math.abs(sy) !== 1) return;
    const ends = this.t < 0.5 ? [0, 1] : [1, 0];
    const end = ends.find((e) => this.turnable(e, sx, sy));
    if (end === undefined || (end !== ends[0] && !this.dir.cap && Math.abs(end - this.t) > 0.75)) return;
    if (end === 1) {
      this.t += leak;
      if (this.t > 1 - TINY) this.arrive();
    } else {
      this.t -= leak;
      if (this.t < TINY) {
        this.dir = null;
        this.t = 0;
      }
    }
  }
}

export { Board };
