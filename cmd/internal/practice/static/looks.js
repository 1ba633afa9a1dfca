// Ten looks. The first six stay within the colours measured on the game; the
// others go beyond them. A look gives each place of the Challenge its rock,
// and its panels' cells, lines, the traced line and symbols.

const symbols = {
  white: '#d2d8d4', black: '#0e1216', green: '#6aa650', purple: '#6518d0', cyan: '#93f0a4', orange: '#ffbe2e',
  magenta: '#d92fd0', yellow: '#ffd98a', red: '#d8342c', blue: '#3556e0',
};

function look(name, wall, column, extra = {}) {
  return {
    name,
    wall: { rock: '#2f2417', deep: '#0a0705', glow: '#b87a22', frame: '#6b4b1d', trace: '#eef6e6', ...wall },
    column: { rock: '#3a2811', deep: '#120b04', glow: '#d08a26', frame: '#70501f', trace: '#f4f8d8', other: '#ffd45c', green: '#b2d674', ...column },
    pedestal: { rock: '#3a2410', deep: '#140b05', glow: '#7a4a1c', frame: '#5a2f18', line: '#6f5218', cell: '#271f0e', trace: '#f6c25a', dot: '#e78f27', ...extra.pedestal },
    triple: { rock: '#15120f', deep: '#040303', glow: '#33271b', frame: '#0a0c0c', cell: '#108f72', line: '#22363a', trace: '#e6f4ee', ...extra.triple },
    triangles: { rock: '#14100b', deep: '#040302', glow: '#2c2114', frame: '#241c10', cell: '#0d0a06', line: '#826f2d', trace: '#f6a108', icon: '#ffc100', ...extra.triangles },
    pillar: { rock: '#0e0a07', deep: '#030202', glow: '#1c140c', frame: '#0c0a08', cell: '#6b4300', line: '#c97e00', trace: '#fff1b4', other: '#ffe27a', white: '#ffffff', black: '#2a1c12', ...extra.pillar },
    symbols: { ...symbols, ...extra.symbols },
  };
}

export const looks = [
  look('cave', { cell: '#05a862', line: '#3c4a3c' }, { cell: '#04b45e', line: '#46523c' }),
  look('teal', { cell: '#07906e', line: '#243f45' }, { cell: '#05a06f', line: '#2f4a50' }),
  look('emerald', { cell: '#02c24a', line: '#37502a' }, { cell: '#06c053', line: '#4a5a34' }),
  look('dusk', { cell: '#046c50', line: '#112a2e', glow: '#7a4c16' }, { cell: '#087858', line: '#173430', glow: '#8a5a18' }, {
    triple: { cell: '#0a7d64', line: '#182c30' }, pillar: { line: '#b06c00', cell: '#553500' },
  }),
  look('lamp', { cell: '#09b878', line: '#4c6148', glow: '#d89430' }, { cell: '#09c07c', line: '#4c5c50', glow: '#e09a34' }, {
    triple: { cell: '#16a07f', line: '#2c4144' }, pedestal: { line: '#7c5c20', cell: '#2c2310' },
  }),
  look('moss', { cell: '#1a9a45', line: '#23391c', rock: '#26301a', glow: '#6c7a2a' }, { cell: '#229e48', line: '#2a4020', rock: '#2c3018', glow: '#7a7a2c' }, {
    pedestal: { line: '#65601c', cell: '#20200e' }, triple: { cell: '#128a60', line: '#1e3630' },
  }),
  look('night', { cell: '#1d4f96', line: '#0d1b33', rock: '#0c1018', deep: '#020306', glow: '#1c2a44', frame: '#1a2436' },
    { cell: '#2258a4', line: '#0f2038', rock: '#0c1018', deep: '#020306', glow: '#203050', frame: '#1c2638' }, {
      pedestal: { rock: '#0c0f16', deep: '#030408', glow: '#202a3c', frame: '#1b2233', line: '#3d5378', cell: '#121a2a', trace: '#bfe0ff', dot: '#f0b040' },
      triple: { cell: '#1f5f9c', line: '#0e2238' },
      triangles: { cell: '#070b12', line: '#36507c', trace: '#8fd0ff', icon: '#ffcc33' },
      pillar: { line: '#2f6bb8', cell: '#132c50', trace: '#e6f4ff', other: '#9fd0ff', black: '#060c16' },
      symbols: { green: '#58c05a', cyan: '#8ff4e0', purple: '#b060ff' },
    }),
  look('ember', { cell: '#b4502a', line: '#3a140e', rock: '#2a120c', deep: '#0a0302', glow: '#7a2c14', frame: '#4a1c10' },
    { cell: '#bc5630', line: '#40180f', rock: '#2a120c', deep: '#0a0302', glow: '#843218', frame: '#4c1e12' }, {
      triple: { cell: '#a8563a', line: '#331410' }, pillar: { line: '#d0522a', cell: '#5c1e0e', black: '#1e0a06' },
      pedestal: { line: '#8a4a26', cell: '#2a140c' }, symbols: { green: '#9ad04a', orange: '#ffd23c', purple: '#4a1c9c', yellow: '#ffe6a0' },
    }),
  look('frost', { cell: '#9fc4cf', line: '#3c5a68', rock: '#3c4a52', deep: '#141c20', glow: '#8aa2ac', frame: '#5a6e78', trace: '#fff2b0' },
    { cell: '#a4c8d2', line: '#40606e', rock: '#3c4a52', deep: '#141c20', glow: '#90a8b2', frame: '#5e727c', trace: '#fff2b0', other: '#ffc86a', green: '#2e6a24' }, {
      triple: { cell: '#8ab0ba', line: '#2e4650', trace: '#fff2b0' }, symbols: { white: '#ffffff', cyan: '#1cf0e0', green: '#2e8a34', yellow: '#7a5a10' },
    }),
  look('violet', { cell: '#6a4aa8', line: '#22143c', rock: '#1c1428', deep: '#07040c', glow: '#44306a', frame: '#32224e' },
    { cell: '#7050b0', line: '#281844', rock: '#1c1428', deep: '#07040c', glow: '#4a3474', frame: '#362654' }, {
      triple: { cell: '#6448a0', line: '#20123a' }, pillar: { line: '#9a62d0', cell: '#3c2060', black: '#140a22' },
      symbols: { purple: '#ff5ad8', green: '#8ad060' },
    }),
];

// kinds: how the panels of each kind are built and hung. line, gap, start and
// cap are in units of the pitch (start: of the line); factor multiplies the
// mouse's motion, as seen on the game.
export const kinds = {
  'maze-3': { cells: [3, 3], place: 'wall', title: 'Maze', line: 0.23, gap: 0.29, factor: 1.2, size: 430 },
  'maze-7': { cells: [7, 7], place: 'wall', title: 'Large maze', line: 0.34, gap: 0.09, factor: 2, size: 470 },
  squares: { cells: [4, 4], place: 'wall', title: 'Squares', line: 0.24, gap: 0.26, factor: 1.1, size: 440 },
  pedestal: { cells: [5, 5], place: 'pedestal', title: 'Map', line: 0.33, gap: 0.25, factor: 1.4 },
  polyominoes: { cells: [4, 4], place: 'column', title: 'Pieces', line: 0.22, gap: 0.32, factor: 1.1, size: 320 },
  stars: { cells: [4, 4], place: 'column', title: 'Stars', line: 0.22, gap: 0.32, factor: 1.1, size: 320 },
  symmetry: { cells: [6, 6], place: 'column', title: 'Symmetry', line: 0.34, gap: 0.2, factor: 1.7, size: 322 },
  'column-maze': { cells: [7, 7], place: 'column', title: 'Maze', line: 0.34, gap: 0.12, factor: 2, size: 324 },
  'triple-2': { cells: [4, 4], place: 'triple', title: 'One of three', line: 0.26, gap: 0.26, factor: 1.115, size: 140, lag: [1000, 0, 2000] },
  'triple-3': { cells: [4, 4], place: 'triple', title: 'One of three', line: 0.26, gap: 0.26, factor: 1.115, size: 140, lag: [2000, 0, 1000] },
  'triangles-6': { cells: [4, 4], place: 'triangles', title: 'Triangles', line: 0.26, gap: 0.26, factor: 1.12, size: 360 },
  'triangles-8': { cells: [4, 4], place: 'triangles', title: 'Triangles', line: 0.26, gap: 0.26, factor: 1.12, size: 360 },
  'pillar-dots': { cells: [6, 6], place: 'pillar', title: 'Pillar of dots', line: 0.28, gap: 0.26, factor: 1.75, pitch: 86 },
  'pillar-squares': { cells: [6, 6], place: 'pillar', title: 'Pillar of squares', line: 0.28, gap: 0.26, factor: 1.75, pitch: 86 },
};

// Start circles are 1.13 to 1.27 times the line; caps reach 1.2 to 2.1 times
// the line, their round tips included: those of the symmetric panel least.
for (const [name, k] of Object.entries(kinds)) {
  k.start = 1.2;
  k.cap = k.line * (name === 'symmetry' ? 0.85 : 1.3);
}
