// The shapes of the randomizer's development version: of a symbol, with half of its cell's side in
// pixels; and a panel of them in the game's sizes, drawn somewhat from aside.
const o = 0.3199, compass = ['E','NE','N','NW','W','SW','S','SE']
const steps = [[], [1], [2], [3], [2,2], [2,3], [3,3], [2,3,2], [3,2,3], [3,3,3]]
function places(n) {
  const rows = steps[n], out = []
  rows.forEach((wide, r) => { for (let i = 0; i < wide; i++) out.push([o * (2*i - wide + 1), (rows.length == 3 ? 2 : 1) * o * (rows.length == 1 ? 0 : rows.length == 3 ? 1 - r : 1 - 2*r)]) })
  return out
}
const digits = ['1FE 3FF 387 387 387 387 387 387 3FF 1FE', '018 038 078 0F8 038 038 038 038 0FE 0FE', '1FE 3FF 387 007 01E 07C 1F0 3C0 3FF 3FF', '3FE 3FF 007 007 07E 07E 007 007 3FF 3FE', '0EE 0EE 1CE 1CE 3FF 3FF 00E 00E 00E 00E', '3FF 3FF 380 380 3FE 3FF 007 007 3FF 3FE', '1FE 3FE 380 380 3FE 3FF 387 387 3FF 1FE', '3FF 3FF 007 007 00E 00E 01C 01C 038 038', '1FE 3FF 387 387 1FE 1FE 387 387 3FF 1FE']
function shape(s, unit) { // polygons, y down
  const out = [], add = (list, dx = 0, dy = 0) => out.push(list.map(p => [p[0] + dx, p[1] + dy])) // y up
  let turn = 0
  const way = Math.PI / 4 * compass.indexOf(s.dir || ['N','NE','E','SE','S','SW','W','NW'][s.rot || 0])
  switch (s.kind || s.type) {
  case 'arrow':
    turn = way
    add([[-.64,-.08],[.32,-.08],[.32,.08],[-.64,.08]])
    for (let i = 0; i < s.count; i++) add([[.64,0],[.16,.48],[-.08,.48],[.32,.08],[.32,-.08],[-.08,-.48],[.16,-.48]], -.32 * i)
    break
  case 'antitriangle': for (const p of places(s.count)) add([[-.25,.2],[.25,.2],[0,-.2]], ...p); break
  case 'cave':
    for (const p of places(s.count)) add([[.175,0],[0,.175],[-.175,0],[0,-.175]], ...p)
    for (let k = 0; k < 4; k++) { const c = [1,0,-1,0][k], d = [0,1,0,-1][k]; add([[.8,-.2],[.8,.2],[.9,0]].map(p => [p[0]*c - p[1]*d, p[0]*d + p[1]*c])) }
    break
  case 'mines': digits[s.count].split(' ').forEach((row, y) => { for (let x = 0; x < 10; x++) if (parseInt(row, 16) >> (9 - x) & 1) { const l = .135*(x - 5) - .004, t = .135*(5 - y) + .004; add([[l,t],[l+.143,t],[l+.143,t-.143],[l,t-.143]]) } }); break
  case 'flower':
    for (let k = 0; k < 6; k++) { const a = Math.PI / 6 + k * Math.PI / 3, c = .21*Math.cos(a), d = .21*Math.sin(a)
      for (const part of [[[-.34,1.25],[.34,1.25],[1.54,2.67],[.7,3.15],[0,2.67],[-.7,3.15],[-1.54,2.67]], [[1.54,2.67],[1.08,1.38],[.65,1.62]]]) add(part.map(p => [p[0]*c - p[1]*d, p[0]*d + p[1]*c])) }
    break
  case 'dart':
    turn = way - Math.PI / 2
    for (let i = 0; i < s.count; i++) add([[0,.255],[.255,-.255],[0,-.085],[-.255,-.255]], o * (2*i - s.count + 1))
    break
  }
  let shift = s.kind == 'arrow' && way % (Math.PI / 2) > .1 ? .075 * (s.count - 1) : 0
  const c = Math.cos(turn), d = Math.sin(turn), by = [shift * Math.sign(Math.cos(way)), shift * Math.sign(Math.sin(way))]
  return out.map(list => list.map(p => [unit * (p[0]*c - p[1]*d + by[0]), -unit * (p[0]*d + p[1]*c + by[1])]))
}

function drawn(c, n) {
  const b = c.board, P = 78 + 9 * (n % 4), line = P * [.13, .16, .19, .22][n % 4], m = 1.3 * P
  const looks = [['#4a7d4f','#16301a','#1d3b1f'], ['#8a8f94','#3d4247','#2a2d30'], ['#c9a24a','#6d5216','#332711'], ['#35586e','#0f2430','#0b171f']][(n >> 2) % 4]
  const inks = {white:'#f4f4ee', black:'#08080a', orange:'#ff8a1c', green:'#37c24b', purple:'#8a2be2'}
  let out = ''
  const X = x => m + x * P / 2, Y = X
  const seg = (x1, y1, x2, y2, cap = 'round') => out += '<line x1="' + x1 + '" y1="' + y1 + '" x2="' + x2 + '" y2="' + y2 + '" stroke="' + looks[1] + '" stroke-width="' + line + '" stroke-linecap="' + cap + '"/>'
  const has = (list, x, y) => (list || []).some(q => q[0] == x && q[1] == y)
  for (let x = 0; x <= 2 * b.cols; x++) for (let y = 0; y <= 2 * b.rows; y++) if ((x + y) % 2 && !has(b.missing, x, y)) {
    const dx = x % 2, dy = y % 2
    if (has(b.broken, x, y)) {
      const g = .11 * P
      seg(X(x - dx), Y(y - dy), X(x) - dx*g, Y(y) - dy*g, 'butt'); seg(X(x) + dx*g, Y(y) + dy*g, X(x + dx), Y(y + dy), 'butt')
      for (const s of [-1, 1]) seg(X(x + s*dx), Y(y + s*dy), X(x + s*dx), Y(y + s*dy))
    } else seg(X(x - dx), Y(y - dy), X(x + dx), Y(y + dy))
  }
  for (const q of b.starts) out += '<circle cx="' + X(q[0]) + '" cy="' + Y(q[1]) + '" r="' + 1.2 * line + '" fill="' + looks[1] + '"/>'
  const dirs = {up:[0,-1], down:[0,1], left:[-1,0], right:[1,0]}
  for (const q of b.ends) seg(X(q[0]), Y(q[1]), X(q[0]) + dirs[q[2]][0] * 1.1 * line, Y(q[1]) + dirs[q[2]][1] * 1.1 * line)
  const poly = (list, x, y, ink) => out += '<polygon points="' + list.map(p => (X(x) + p[0]) + ',' + (Y(y) + p[1])).join(' ') + '" fill="' + ink + '"/>'
  for (const q of b.dots || []) poly([0,1,2,3,4,5].map(k => [.5 * line * Math.cos(k * Math.PI / 3), .5 * line * Math.sin(k * Math.PI / 3)]), q[0], q[1], '#0a0a0a')
  for (const s of b.cells) {
    const ink = inks[s.color]
    if (s.kind == 'square') out += '<rect x="' + (X(s.x) - .1725 * P) + '" y="' + (Y(s.y) - .1725 * P) + '" width="' + .345 * P + '" height="' + .345 * P + '" rx="' + .1 * P + '" fill="' + ink + '"/>'
    else if (s.kind == 'star') poly(Array.from({length: 16}, (_, k) => { const r = .1875 * P * (k % 2 ? .771 : 1); return [r * Math.cos(k * Math.PI / 8), r * Math.sin(k * Math.PI / 8)] }), s.x, s.y, ink)
    else if (s.kind == 'triangle') for (let i = 0; i < s.count; i++) poly([[-.11 * P, .095 * P], [.11 * P, .095 * P], [0, -.095 * P]].map(p => [p[0] + .284 * P * (i - (s.count - 1) / 2), p[1] - .024 * P]), s.x, s.y, ink)
    else for (const list of shape(s, (P - line) / 2)) poly(list, s.x, s.y, ink)
  }
  const w = 2 * m + b.cols * P, h = 2 * m + b.rows * P
  document.body.style.background = looks[2]
  document.body.innerHTML = '<div style="perspective:1400px;padding:60px 0 0 120px"><svg xmlns="http://www.w3.org/2000/svg" width="' + w + '" height="' + h + '" style="background:' + looks[0] + ';filter:blur(.5px);transform:rotateY(' + (n % 7 - 3) * 4 + 'deg) rotateX(' + (n % 5 - 2) * 3 + 'deg)">' + out + '</svg></div>'
}
