'use strict'
// Plain JavaScript that old releases of Node can parse. `npm test` and `npm start` come through here:
// install what is missing, build what is stale, then run the step under Node 24, whatever Node started this.
const path = require('path')
const { pathToFileURL } = require('url')
const node24 = require('../cli/bin/node24.cjs')
const { buildPages } = require('./build-web.cjs')
const { installMissing } = require('./install.cjs')

const root = path.dirname(__dirname)
const steps = {
  build: [],
  start: ['cli/bin/kitseal.cjs', 'serve'],
  test: ['scripts/test.ts'],
  'test:s3': ['scripts/test-s3.ts'],
  'test:trials': ['scripts/test-trials.ts'],
  bench: ['bench/all.ts'],
  'bench:download': ['bench/download.ts'],
  'bench:scale': ['bench/scale.ts'],
  'bench:service': ['bench/service.ts'],
  'bench:submission': ['bench/submission.ts'],
  'build:cli': ['cli/build-standalone.ts'],
  'build:packages': ['scripts/build-packages.ts'],
  'bench:upload': ['bench/upload.ts'],
  'bench:verify': ['bench/verify.ts'],
  fuzz: ['trials/fuzz.ts'],
  load: ['trials/load.ts'],
  release: ['scripts/build-release.ts'],
  sbom: ['scripts/sbom.ts'],
}

/** Gets everything ready, and returns what is left to do. */
async function launch(name, args) {
  const step = steps[name]
  if (!step) throw new Error('usage: node scripts/launch.cjs ' + Object.keys(steps).join('|'))
  if (!node24.isRunning() && !node24.isBundledHere()) throw new Error(node24.missing())
  await installMissing(root)
  // What is measured, and what serves, starts from the bundle; after a change of the source it is made again.
  if (/^(bench|start|fuzz|load)/.test(name) && !require('../cli/bin/bundle.cjs').isFresh())
    require('../cli/build.cjs')
  const node = node24.find()
  if (!node) throw new Error(node24.missing())
  if (/^(build|start|test|test:trials)$/.test(name)) await makePages(name, node)
  if (step.length === 0) return () => console.error('Built.')

  const command = [path.join(root, step[0])].concat(step.slice(1), args)
  const bin = path.join(root, 'node_modules', '.bin')
  process.env.PATH = [path.dirname(node), bin, process.env.PATH].join(path.delimiter)
  if (!node24.isRunning()) return () => node24.become(node, command)
  process.argv = [process.execPath].concat(command)
  return () => import(pathToFileURL(command[0]).href)
}

/** A service without its pages still serves everything else. */
async function makePages(name, node) {
  try {
    await buildPages(root, node, (text) => console.error(text))
  } catch (error) {
    if (name !== 'start') throw error
    console.error(error.message + '\nThe service starts without its pages.')
  }
}

launch(process.argv[2], process.argv.slice(3)).then(
  (run) => run(),
  (error) => {
    console.error(error.message)
    process.exitCode = 2
  },
)
