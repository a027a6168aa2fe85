'use strict'
// Plain JavaScript that old Node releases can parse.
const childProcess = require('child_process')
const fs = require('fs')
const path = require('path')
const { acquireLock } = require('./lock.cjs')
const startPackages = require('./start-packages.cjs')

/** Runs `npm ci` if node_modules does not match package-lock.json. `step` is the npm script that needs the packages. */
exports.installMissing = async (root, step) => {
  const forStart = step === 'start' && startPackages.areEnough(process.env)
  if (isInstalled(root, forStart)) return
  const lock = await acquireLock(path.join(root, '.cache', 'install.lock'), () =>
    console.error('Another install is running: waiting for it …'),
  )
  try {
    if (!isInstalled(root, forStart)) await install(root, lock, forStart)
  } finally {
    lock.release()
  }
}

/** Compares package-lock.json with npm's record of what it installed, and checks that the packages exist. */
function isInstalled(root, forStart) {
  const wanted = packagesIn(path.join(root, 'package-lock.json'))
  const installed = packagesIn(path.join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !installed) return false
  const canBuild = () => startPackages.toBuildWith(root).every((name) => installed['node_modules/' + name])
  if (forStart && !canBuild()) return false
  return Object.keys(wanted).every((key) => {
    if (key.indexOf('node_modules/') < 0) return true
    const want = wanted[key]
    const have = installed[key]
    if (!have && forStart && startPackages.isNeedless(key, want)) return true
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

/** Optional packages for this platform (Node itself) are required. Others may fail to build. */
function isForThisPlatform({ os, cpu, libc }) {
  return !!os && !!cpu && !libc && os.indexOf(process.platform) >= 0 && cpu.indexOf(process.arch) >= 0
}

async function install(root, lock, forStart) {
  const started = Date.now()
  console.error('Installing packages …')
  // A node_modules that is there may have been installed for more than `npm start`.
  if (forStart && !fs.existsSync(path.join(root, 'node_modules'))) await installForStart(root, lock)
  else await npmCi(root, root, lock, [])
  console.error('Installed in ' + Math.round((Date.now() - started) / 1000) + ' s.')
}

async function installForStart(root, lock) {
  const project = path.join(root, '.cache', 'start-install')
  fs.rmSync(project, { recursive: true, force: true })
  startPackages.writeProject(root, project)
  await npmCi(root, project, lock, ['--ignore-scripts'])
  startPackages.moveInstalled(project, root)
  fs.rmSync(project, { recursive: true })
}

/** The lock file pins what is installed, so metadata in npm's cache need not be fresh; it may be too old, though. */
async function npmCi(root, project, lock, options) {
  const cached = await runNpmCi(root, project, lock, options.concat('--prefer-offline'))
  if (cached.status === 0) return
  const { status, output } =
    typeof cached.status === 'number' ? await runNpmCi(root, project, lock, options) : cached
  if (status === 0) return
  process.stderr.write(output)
  throw new Error('npm ci failed (' + status + '). Fix the error above and try again.')
}

function runNpmCi(root, project, lock, options) {
  const { folders, node } = outsideOf(path.join(root, 'node_modules') + path.sep)
  const npm = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm']
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  const env = Object.assign({}, process.env, {
    PATH: folders.join(path.delimiter),
    // Build the native module with the headers of the bundled Node instead of downloading them.
    npm_config_nodedir: path.join(root, 'node_modules', 'node-' + process.platform + '-' + process.arch),
  })
  return new Promise((resolve) => {
    const child = childProcess.spawn(npm[0], npm.slice(1).concat(args, options), {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.pid) lock.transferTo(child.pid)
    // Before a process that waits can see that npm is gone.
    child.on('exit', () => lock.transferTo(process.pid))
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    const forward = (signal) => child.kill(signal)
    signals.forEach((signal) => process.on(signal, forward))
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ status: error.message, output }))
    child.on('close', (code, signal) => {
      signals.forEach((name) => process.removeListener(name, forward))
      resolve({ status: signal || code, output })
    })
  })
}

/** `npm ci` deletes node_modules first, so npm and its scripts must not run on the Node inside it. */
function outsideOf(modules) {
  const isInside = (file) => (file + path.sep).indexOf(modules) === 0
  const folders = (process.env.PATH || '').split(path.delimiter).filter((folder) => !isInside(folder))
  if (!isInside(fs.realpathSync(process.execPath))) return { folders, node: process.execPath }
  const found = folders.map((folder) => path.join(folder, 'node')).find((file) => fs.existsSync(file))
  return { folders, node: found || process.execPath }
}
