'use strict'
// For Node releases that are too old, which must be able to parse this. Runs the program with the Node that npm installed beside it.
const fs = require('fs')
const path = require('path')

const REQUIRED_MAJOR = 24
/** The npm package that contains Node for this platform. */
const BUNDLED = 'node-' + process.platform + '-' + process.arch

/** Runs a script under the Node of that package, or says what to install. */
exports.run = (script, argv) => {
  const node = find()
  if (node) return become(node, [script].concat(argv))
  console.error(missing())
  process.exitCode = 2
}

function find() {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', BUNDLED, 'bin', 'node')
    if (fs.existsSync(candidate)) return candidate
    if (folder === path.dirname(folder)) return undefined
  }
}

const missing = () =>
  'kitseal needs Node ' +
  REQUIRED_MAJOR +
  ' or newer. This is Node ' +
  process.versions.node +
  ' on ' +
  BUNDLED.slice(5) +
  '. ' +
  (/^node-linux-(x64|arm64)$/.test(BUNDLED)
    ? 'Install Node ' + REQUIRED_MAJOR + ', or run "npm ci --include=optional" to install the bundled one.'
    : 'Install Node ' + REQUIRED_MAJOR + ' and try again.')

/** Runs `args` under `node` in place of this process: forwards signals and exits as the child does. */
function become(node, args) {
  const child = require('child_process').spawn(node, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C and hang-up to both processes. Forwarding them would deliver them twice.
  const fromTerminal = process.stdin.isTTY === true
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT', 'SIGUSR2']) {
    const shared = fromTerminal && signal !== 'SIGTERM' && signal !== 'SIGUSR2'
    process.on(signal, () => shared || child.kill(signal))
  }
  child.on('error', (error) => {
    console.error('kitseal: cannot run ' + node + ': ' + error.message + '. ' + missing())
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
