'use strict'
// Plain JavaScript that old releases of Node can parse. `npm test` and `npm start` come through here:
// install what is missing, then run the step under Node 24, whatever Node started this.
const path = require('path')
const node24 = require('../cli/bin/node24.cjs')
const install = require('./install.cjs')

const root = path.dirname(__dirname)
const steps = {
  start: ['cli/bin/kitseal.cjs', 'serve'],
  test: ['scripts/test.ts'],
}

function launch(step, args) {
  if (!Object.prototype.hasOwnProperty.call(steps, step)) {
    return stop('usage: node scripts/launch.cjs ' + Object.keys(steps).join('|'))
  }
  if (!node24.isRunning() && !node24.isBundledHere()) return stop(node24.missing())
  const problem = install.whatIsMissing(root)
  if (problem) return stop(problem)
  const node = node24.find()
  if (!node) return stop(node24.missing())

  const bin = path.join(root, 'node_modules', '.bin')
  const searchPath = [path.dirname(node), bin, process.env.PATH || ''].join(path.delimiter)
  const env = Object.assign({}, process.env, { PATH: searchPath })
  const target = [path.join(root, steps[step][0])].concat(steps[step].slice(1), args)
  if (!node24.isRunning()) return node24.become(node, target, env)

  process.env.PATH = searchPath
  process.argv = [process.execPath].concat(target)
  import(require('url').pathToFileURL(target[0]).href)
}

function stop(message) {
  console.error(message)
  process.exitCode = 2
}

launch(process.argv[2], process.argv.slice(3))
