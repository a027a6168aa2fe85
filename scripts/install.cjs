'use strict'
// Plain JavaScript that old releases of Node can parse.
const childProcess = require('child_process')
const fs = require('fs')
const path = require('path')
const { takeTurn } = require('./turn.cjs')

/** Installs what package-lock.json names and node_modules lacks; quick when that is nothing. */
exports.installMissing = async (root) => {
  if (isInstalled(root)) return
  const turn = await takeTurn(path.join(root, '.cache', 'install.lock'), () =>
    console.error('Another install is under way: waiting for it …'),
  )
  try {
    if (!isInstalled(root)) await install(root, turn)
  } finally {
    turn.end()
  }
}

/** Compares the lock file with npm's own record of what it installed, and that record with the disk. */
function isInstalled(root) {
  const wanted = packagesIn(path.join(root, 'package-lock.json'))
  const installed = packagesIn(path.join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !installed) return false
  return Object.keys(wanted).every((key) => {
    if (key.indexOf('node_modules/') < 0) return true
    const want = wanted[key]
    const have = installed[key]
    if (!have) return want.optional === true && !isForThisPlatform(want)
    return (
      have.version === want.version &&
      have.integrity === want.integrity &&
      fs.existsSync(path.join(root, key, 'package.json'))
    )
  })
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(fs.readFileSync(lockFile, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** An optional package that names this platform (Node itself) must be there; one that names none may fail to
 * build, and the product does without. */
function isForThisPlatform({ os, cpu, libc }) {
  return !!os && !!cpu && !libc && os.indexOf(process.platform) >= 0 && cpu.indexOf(process.arch) >= 0
}

async function install(root, turn) {
  const started = Date.now()
  console.error('Installing what package-lock.json names …')
  const { status, output } = await npmCi(root, turn)
  if (status !== 0) {
    process.stderr.write(output)
    throw new Error('npm ci failed (' + status + '): mend what it says above and try again.')
  }
  console.error('Installed in ' + Math.round((Date.now() - started) / 1000) + ' s.')
}

function npmCi(root, turn) {
  const { folders, node } = outside(path.join(root, 'node_modules') + path.sep)
  const npm = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm']
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  const env = Object.assign({}, process.env, {
    PATH: folders.join(path.delimiter),
    // Headers for the one native module come with the bundled Node: nothing is downloaded to build it.
    npm_config_nodedir: path.join(root, 'node_modules', 'node-' + process.platform + '-' + process.arch),
  })
  return new Promise((resolve) => {
    const child = childProcess.spawn(npm[0], npm.slice(1).concat(args), {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.pid) turn.handTo(child.pid)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    const passOn = (signal) => child.kill(signal)
    signals.forEach((signal) => process.on(signal, passOn))
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ status: error.message, output }))
    child.on('close', (code, signal) => {
      signals.forEach((name) => process.removeListener(name, passOn))
      resolve({ status: signal || code, output })
    })
  })
}

/** npm ci empties node_modules first, so neither npm nor its scripts may run on the Node inside it. */
function outside(modules) {
  const isInside = (file) => (file + path.sep).indexOf(modules) === 0
  const folders = (process.env.PATH || '').split(path.delimiter).filter((folder) => !isInside(folder))
  if (!isInside(fs.realpathSync(process.execPath))) return { folders, node: process.execPath }
  const found = folders.map((folder) => path.join(folder, 'node')).find((file) => fs.existsSync(file))
  return { folders, node: found || process.execPath }
}
