// Lets the engine of a clone of jbzdarkid/witness-puzzles solve panels, as its page does:
//
//     node peers.js pick PUBLISHED.jsonl.gz > FILE
//     node peers.js CLONE/engine FILE
//
// The first picks each 122nd of those of up to 5×5, a line of the site's JSON each; the second
// prints how many have an answer.
const fs = require('fs'), path = require('path'), vm = require('vm'), zlib = require('zlib')
const [engine, file] = process.argv.slice(2)
const print = console.log.bind(console)

if (engine === 'pick') {
  const lines = zlib.gunzipSync(fs.readFileSync(file)).toString().trim().split('\n')
  const small = lines.map(l => JSON.parse(l).puzzle).filter(p => {
    const {grid} = JSON.parse(p)
    return Math.max(grid.length, grid[0].length) <= 11
  })
  print(small.filter((_, i) => i % 122 === 0).join('\n'))
  process.exit()
}

globalThis.window = globalThis
globalThis.namespace = f => f()
globalThis.console = new Proxy({}, {get: () => () => {}})
// Of utilities.js, which wants a page around it, the numbers alone.
const text = fs.readFileSync(path.join(engine, 'utilities.js'), 'utf8')
for (const m of text.matchAll(/window\.([A-Z_]+)\s*=\s*(\d+)/g)) globalThis[m[1]] = +m[2]
for (const name of ['puzzle.js', 'polyominos.js', 'custom_mechanics.js', 'validate.js', 'solve.js'])
  vm.runInThisContext(fs.readFileSync(path.join(engine, name), 'utf8'), name)

async function main() {
  let solved = 0
  const panels = fs.readFileSync(file, 'utf8').trim().split('\n')
  for (const panel of panels) {
    window.MAX_SOLUTIONS = 1
    solved += await new Promise(done => solve(Puzzle.deserialize(panel), null, paths => done(paths.length > 0 ? 1 : 0)))
  }
  print(`${solved} of ${panels.length}`)
}
main()
