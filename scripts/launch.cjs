'use strict'
// Plain JavaScript that old Node releases can parse. Every npm script runs through here: it installs missing
// packages, builds what is stale and runs the step under Node 24, whatever Node started it.
const childProcess = require('child_process')
const path = require('path')
const node24 = require('../cli/bin/node24.cjs')
const { buildPages } = require('./build-web.cjs')
const { installMissing } = require('./install.cjs')

const root = path.dirname(__dirname)
const steps = {
  build: [],
  start: ['cli/bin/kitseal.cjs', 'serve'],
  demo: ['cli/bin/kitseal.cjs', 'demo'],
  test: ['scripts/test.ts'],
  'test:all': ['scripts/test-all.ts'],
  'test:ci': ['scripts/test-ci.ts'],
  'test:s3': ['scripts/test-s3.ts'],
  bench: ['bench/all.ts'],
  'bench:commands': ['bench/commands.ts'],
  'bench:console': ['bench/console.ts'],
  'bench:download': ['bench/download.ts'],
  'bench:evidence': ['bench/evidence.ts'],
  'bench:large': ['bench/large.ts'],
  'bench:log': ['bench/log.ts'],
  'bench:scale': ['bench/scale.ts'],
  'bench:service': ['bench/service.ts'],
  'bench:submission': ['bench/submission.ts'],
  'build:cli': ['cli/build-standalone.ts'],
  'build:packages': ['scripts/build-packages.ts'],
  'bench:upkeep': ['bench/upkeep.ts'],
  'bench:upload': ['bench/upload.ts'],
  'bench:verify': ['bench/verify.ts'],
  'bench:webhooks': ['bench/webhooks.ts'],
  fuzz: ['trials/fuzz.ts'],
  load: ['trials/load.ts'],
  pictures: ['web/test/write-pictures.ts'],
  release: ['scripts/build-release.ts'],
  sbom: ['scripts/sbom.ts'],
}

/** Prepares the step and returns a function that runs it. */
async function launch(name, args) {
  const step = steps[name]
  if (!step) throw new Error('usage: node scripts/launch.cjs ' + Object.keys(steps).join('|'))
  const chosen = node24.chosen()
  if (chosen) return () => node24.become(chosen, process.argv.slice(1))
  if (!node24.isRunning() && !node24.isBundledHere()) throw new Error(node24.missing())
  await installMissing(root, name)
  const node = node24.find()
  if (!node) throw new Error(node24.missing())
  await Promise.all([buildCommandLineFor(name), buildPagesFor(name, node)])
  if (step.length === 0) return () => console.error('Built.')

  const command = [path.join(root, step[0])].concat(step.slice(1), args)
  const bin = path.join(root, 'node_modules', '.bin')
  process.env.PATH = [path.dirname(node), bin, process.env.PATH].join(path.delimiter)
  if (!node24.isRunning()) return () => node24.become(node, command)
  process.argv = [process.execPath].concat(command)
  // Not import(): the step has to be the main module, or `import.meta.main` is false in it.
  return () => require('module').runMain(command[0])
}

/** These steps run the bundled command line, so it is rebuilt after a source change. */
async function buildCommandLineFor(name) {
  if (!/^(bench|demo|start|fuzz|load|test)/.test(name)) return
  const bundle = require('../cli/bin/bundle.cjs')
  if (bundle.isFresh() && bundle.isServiceFresh()) return
  await new Promise((resolve, reject) =>
    childProcess.execFile(process.execPath, [path.join(root, 'cli', 'build.cjs')], (error, stdout, stderr) =>
      error ? reject(new Error('building the command line failed:\n' + stderr)) : resolve(),
    ),
  )
}

/** `npm start` goes on without pages: the API works without them. */
async function buildPagesFor(name, node) {
  if (!/^(build|demo|pictures|start|test(:.*)?)$/.test(name)) return
  try {
    await buildPages(root, node, (text) => console.error(text), name !== 'build')
  } catch (error) {
    if (name !== 'start') throw error
    console.error(error.message + '\nStarting the service without its web pages.')
  }
}

launch(process.argv[2], process.argv.slice(3)).then(
  (run) => run(),
  (error) => {
    console.error(error.message)
    process.exitCode = 2
  },
)
