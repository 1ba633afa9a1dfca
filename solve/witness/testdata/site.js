// Lets the engine of a clone of jbzdarkid/jbzdarkid.github.io judge answers, as its
// page does after a line was drawn:
//
//     node site.js CLONE
//
// takes a line of JSON for each answer, {"puzzle": the site's text, "stroke":
// [[x, y], …]}, and prints a line: "accepted", or what is wrong.
const fs = require('fs'), path = require('path'), vm = require('vm')
const engine = path.join(process.argv[2], 'engine')
const print = console.log.bind(console)
const silent = () => {}

globalThis.window = globalThis
globalThis.namespace = f => f()
globalThis.console = new Proxy({}, {get: () => silent})
// Of utilities.js, which wants a page around it, the numbers alone.
const text = fs.readFileSync(path.join(engine, 'utilities.js'), 'utf8')
for (const m of text.matchAll(/window\.((?:LINE|DOT|GAP)_[A-Z_]+)\s*=\s*(\d+)/g)) globalThis[m[1]] = +m[2]
for (const name of ['puzzle.js', 'polyominos.js', 'custom_mechanics.js', 'validate.js'])
  vm.runInThisContext(fs.readFileSync(path.join(engine, name), 'utf8'), name)

// halves are the half-cells of a stroke, without the tip of its cap; they may run on
// over the seam of a pillar.
function halves(puzzle, stroke) {
  const all = [stroke[0]]
  let at = stroke[0]
  for (const next of stroke.slice(1, -1)) {
    let dx = next[0] - at[0]
    const dy = next[1] - at[1]
    if (puzzle.pillar && Math.abs(dx) > 2) dx -= Math.sign(dx) * puzzle.width
    for (let n = Math.max(Math.abs(dx), Math.abs(dy)); n > 0; n--) {
      at = [at[0] + Math.sign(dx), at[1] + Math.sign(dy)]
      all.push(at)
    }
  }
  return all
}

// draw puts the line, and its image, on a half-cell.
function draw(puzzle, [x, y], first) {
  const cell = puzzle.getCell(x, y)
  if (cell == null || cell.gap > GAP_NONE) return `no way over ${x},${y}`
  if (cell.line > LINE_NONE) return `comes twice to ${x},${y}`
  cell.type = 'line'
  cell.line = LINE_BLACK
  if (puzzle.symmetry == null) return
  cell.line = LINE_BLUE
  const image = puzzle.getSymmetricalPos(x, y)
  const other = puzzle.getCell(image.x, image.y)
  if (other == null || other.gap > GAP_NONE) return `no way for the image of ${x},${y}`
  if (other.line > LINE_NONE && !(first && other === cell)) return `meets its image at ${x},${y}`
  other.line = LINE_YELLOW
}

function judge({puzzle: saved, stroke}) {
  const puzzle = Puzzle.deserialize(saved)
  puzzle.clearLines()
  const line = halves(puzzle, stroke)
  const place = ([x, y]) => ({x: puzzle._mod(x), y})
  const cell = ([x, y]) => puzzle.getCell(x, y)
  if (cell(line[0])?.start !== true) return 'begins at no start'
  puzzle.startPoint = place(line[0])
  let wrong = draw(puzzle, line[0], true)
  // What the page does when a line begins: cells outside are no cells, and empty
  // ones are there.
  const grid = puzzle.switchToMaskedGrid(), masked = puzzle.grid
  puzzle.grid = grid
  for (let x = 1; x < puzzle.width; x += 2) {
    for (let y = 1; y < puzzle.height; y += 2) {
      if (masked[x][y] == null) grid[x][y] = null
      else grid[x][y] ??= {type: 'nonce'}
    }
  }
  for (const at of line.slice(1)) wrong ??= draw(puzzle, at)
  if (wrong) return wrong
  const last = line[line.length - 1], tip = stroke[stroke.length - 1], from = stroke[stroke.length - 2]
  let dx = tip[0] - from[0]
  if (puzzle.pillar && Math.abs(dx) > 1) dx -= Math.sign(dx) * puzzle.width
  const cap = {'-1,0': 'left', '1,0': 'right', '0,-1': 'top', '0,1': 'bottom'}[[dx, tip[1] - from[1]]]
  if (cell(last)?.end !== cap) return `ends in a cap ${cap}, want ${cell(last)?.end}`
  puzzle.endPoint = place(last)
  const found = validate(puzzle, true)
  if (found.valid()) return 'accepted'
  return 'wrong at ' + JSON.stringify(found.invalidElements.concat(found.veryInvalidElements).map(({x, y}) => [x, y]))
}

require('readline').createInterface({input: process.stdin}).on('line', text => {
  let verdict
  try {
    verdict = judge(JSON.parse(text))
  } catch (e) {
    verdict = 'error: ' + e.message
  }
  print(verdict)
})
