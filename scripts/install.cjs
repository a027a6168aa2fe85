'use strict'
// Plain JavaScript that old releases of Node can parse.
const childProcess = require('child_process')
const fs = require('fs')
const path = require('path')

/** Installs what package-lock.json names and node_modules lacks. Returns what went wrong, or undefined. */
exports.whatIsMissing = (root) => {
  if (isInstalled(root)) return undefined
  const release = takeTurn(path.join(root, '.cache', 'install.lock'))
  if (typeof release === 'string') return release
  try {
    return isInstalled(root) ? undefined : npmCi(root)
  } finally {
    release()
  }
}

/** Compares the lock file with npm's own record of what it installed, and that record with the disk. */
function isInstalled(root) {
  const wanted = readPackages(path.join(root, 'package-lock.json'))
  const installed = readPackages(path.join(root, 'node_modules', '.package-lock.json'))
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

/** An optional package that names this platform (Node itself, a tool's binary) must be there; one that names
 * none may fail to build, and the product does without. */
function isForThisPlatform(entry) {
  return (
    !!entry.os &&
    !!entry.cpu &&
    !entry.libc &&
    entry.os.indexOf(process.platform) >= 0 &&
    entry.cpu.indexOf(process.arch) >= 0
  )
}

function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

function npmCi(root) {
  const started = Date.now()
  console.error('Installing what package-lock.json names …')
  const bin = path.join(root, 'node_modules') + path.sep
  // npm ci empties node_modules first, so neither npm nor its scripts may run on the Node inside it.
  const folders = (process.env.PATH || '')
    .split(path.delimiter)
    .filter((f) => (f + path.sep).indexOf(bin) !== 0)
  const inside = process.execPath.indexOf(bin) === 0 || fs.realpathSync(process.execPath).indexOf(bin) === 0
  const outside = folders.map((f) => path.join(f, 'node')).find((f) => fs.existsSync(f))
  const node = inside && outside ? outside : process.execPath
  const npm = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm']
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  const done = childProcess.spawnSync(npm[0], npm.slice(1).concat(args), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: Object.assign({}, process.env, {
      PATH: folders.join(path.delimiter),
      // Headers for the one native module come with the bundled Node: nothing is downloaded while building.
      npm_config_nodedir: path.join(root, 'node_modules', 'node-' + process.platform + '-' + process.arch),
    }),
  })
  if (done.status !== 0) {
    if (done.stdout) process.stderr.write(done.stdout)
    return (
      'npm ci failed' +
      (done.error ? ' (' + done.error.message + ')' : '') +
      ': mend what it says above and try again.'
    )
  }
  console.error('Installed in ' + Math.round((Date.now() - started) / 1000) + ' s.')
  return undefined
}

/** One installer at a time. Returns the function that ends the turn, or a sentence when the turn never came. */
function takeTurn(lock) {
  fs.mkdirSync(path.dirname(lock), { recursive: true })
  const mine = lock + '.' + process.pid
  fs.writeFileSync(mine, String(process.pid))
  const deadline = Date.now() + 10 * 60 * 1000
  let said = false
  try {
    while (!tryLink(mine, lock)) {
      if (Date.now() > deadline)
        return 'Another install holds ' + lock + ' for ten minutes: if none is running, delete it.'
      if (!said) console.error('Another install is under way: waiting for it …')
      said = true
      removeIfAbandoned(lock, mine + '.abandoned')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  } finally {
    fs.unlinkSync(mine)
  }
  return () => fs.unlinkSync(lock)
}

function tryLink(from, to) {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function removeIfAbandoned(lock, aside) {
  const holder = holderOf(lock)
  if (holder === undefined || isAlive(holder)) return
  try {
    // Moved aside first: if another waiter has replaced the lock meanwhile, it is put back, not lost.
    fs.renameSync(lock, aside)
    if (holderOf(aside) !== holder) tryLink(aside, lock)
    fs.unlinkSync(aside)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function holderOf(lock) {
  try {
    return Number(fs.readFileSync(lock, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
