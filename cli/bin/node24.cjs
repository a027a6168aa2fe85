'use strict'
// Plain JavaScript that old Node releases can parse. Used by kitseal.cjs.
const fs = require('fs')
const path = require('path')

const REQUIRED_MAJOR = 24
/** The npm package that contains Node for this platform. */
const BUNDLED = 'node-' + process.platform + '-' + process.arch

/** The path of a new enough Node, or undefined. */
exports.find = () => {
  if (parseInt(process.versions.node) >= REQUIRED_MAJOR) return process.execPath
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', BUNDLED, 'bin', 'node')
    if (fs.existsSync(candidate)) return candidate
    if (folder === path.dirname(folder)) return undefined
  }
}

exports.missing = () =>
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
exports.become = (node, args) => {
  const child = require('child_process').spawn(node, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C and hang-up to both processes. Forwarding them would deliver them twice.
  const fromTerminal = process.stdin.isTTY === true
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT', 'SIGUSR2']) {
    const shared = fromTerminal && signal !== 'SIGTERM' && signal !== 'SIGUSR2'
    process.on(signal, () => shared || child.kill(signal))
  }
  child.on('error', (error) => {
    console.error('kitseal: cannot run ' + node + ': ' + error.message + '. ' + exports.missing())
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
