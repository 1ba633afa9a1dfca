// A board as the page works with it. Positions are half-cells, as on the
// server: nodes even/even, cells odd/odd, edges mixed.

export class Board {
  constructor(json) {
    this.cols = json.cols;
    this.rows = json.rows;
    this.pillar = !!json.pillar;
    this.symmetry = json.symmetry || '';
    this.width = this.pillar ? 2 * this.cols : 2 * this.cols + 1;
    this.height = 2 * this.rows + 1;
    this.spots = new Map();
    for (const s of json.spots || []) this.spots.set(s.Y * this.width + s.X, s);
  }

  wrap(x) {
    return this.pillar ? ((x % this.width) + this.width) % this.width : x;
  }

  inside(x, y) {
    x = this.wrap(x);
    return x >= 0 && x < this.width && y >= 0 && y < this.height;
  }

  at(x, y) {
    return this.inside(x, y) ? this.spots.get(y * this.width + this.wrap(x)) : undefined;
  }

  gap(x, y) {
    if (!this.inside(x, y)) return 2;
    return this.at(x, y)?.Gap || 0;
  }

  // image is where the other line is when the player's is at (x,y); fractions
  // are fine. undefined without symmetry.
  image(x, y) {
    const w = this.cols, h = this.rows;
    switch (this.symmetry) {
      case 'mirror': return [this.pillar ? w - x : 2 * w - x, y];
      case 'flip': return [x, 2 * h - y];
      case 'rotation': return [this.pillar ? w - x : 2 * w - x, 2 * h - y];
      case 'parallel': return [this.pillar ? x + w : (x + w + 1) % (2 * w + 2), y];
      case 'turned': return [this.pillar ? x + w : (x + w + 1) % (2 * w + 2), 2 * h - y];
    }
    return undefined;
  }

  key(x, y) { return y * this.width + this.wrap(x); }

  starts() { return [...this.spots.values()].filter((s) => s.Start); }

  ends() { return [...this.spots.values()].filter((s) => s.Cap); }
}
