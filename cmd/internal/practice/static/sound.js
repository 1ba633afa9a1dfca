// Short tones: a beginning, a right and a wrong answer, the end.

export class Sound {
  constructor() {
    this.on = false;
    this.volume = 1; // 0 to 2
    this.ctx = null;
  }

  tone(freq, at, length, gain = 0.06, type = 'sine') {
    if (!this.on || this.volume <= 0) return;
    this.ctx ??= new AudioContext();
    const t = this.ctx.currentTime + at, o = this.ctx.createOscillator(), g = this.ctx.createGain();
    o.type = type;
    o.frequency.value = freq;
    g.gain.setValueAtTime(gain * this.volume, t);
    g.gain.exponentialRampToValueAtTime(0.0005, t + length);
    o.connect(g).connect(this.ctx.destination);
    o.start(t);
    o.stop(t + length);
  }

  begin() { this.tone(220, 0, 0.15); }

  good() { this.tone(440, 0, 0.25); this.tone(660, 0.06, 0.35); }

  bad() { this.tone(110, 0, 0.5, 0.08, 'square'); }

  won() { [440, 554, 660, 880].forEach((f, i) => this.tone(f, i * 0.12, 0.6)); }
}
