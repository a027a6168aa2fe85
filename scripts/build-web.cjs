'use strict'
// Plain JavaScript that old releases of Node can parse. Builds the pages with Vite, under Node 24, compresses them
// once for all who will ask, and puts them in place of those that were there.
const childProcess = require('child_process')
const fs = require('fs')
const path = require('path')
const { acquireLock } = require('./lock.cjs')

// What goes into the pages: any file here that is new, gone or changed makes them stale.
const INPUTS = ['web', 'kit/src', 'kit/embed', 'client/src', 'evidence/src', 'package-lock.json']
const LEFT_OUT = /^(dist(\..*)?|node_modules|test)$|\.test\.tsx?$/

/** Quick where nothing changed. `says` is told before a build begins. */
exports.buildPages = async (root, node, says) => {
  if (!fs.existsSync(path.join(root, 'web', 'vite.config.ts')) || isFresh(root)) return
  const lock = await acquireLock(path.join(root, '.cache', 'build-web.lock'), () =>
    says('Another build of the pages is under way: waiting for it …'),
  )
  try {
    if (isFresh(root)) return
    says('Building the pages …')
    build(root, node)
  } finally {
    lock.release()
  }
}

function isFresh(root) {
  try {
    const before = JSON.parse(fs.readFileSync(path.join(root, 'web', 'dist', 'inputs.json'), 'utf8'))
    const now = inputsOf(root)
    const names = Object.keys(now)
    return (
      names.length === Object.keys(before).length &&
      names.every((name) => String(before[name]) === String(now[name]))
    )
  } catch {
    return false
  }
}

function build(root, node) {
  const web = path.join(root, 'web')
  const making = path.join(web, 'dist.' + process.pid)
  const old = making + '.old'
  try {
    const inputs = inputsOf(root)
    const vite = path.join(
      path.dirname(require.resolve('vite/package.json', { paths: [web] })),
      'bin',
      'vite.js',
    )
    const args = [vite, 'build', '--logLevel', 'warn', '--outDir', making, '--emptyOutDir']
    const made = childProcess.spawnSync(node, args, { cwd: web, encoding: 'utf8' })
    if (made.status !== 0)
      throw new Error('the pages could not be built:\n' + (made.stderr || made.stdout || made.error))
    const squeezed = childProcess.spawnSync(node, [path.join(__dirname, 'compress-files.cjs'), making], {
      encoding: 'utf8',
    })
    if (squeezed.status !== 0) throw new Error('the pages could not be compressed:\n' + squeezed.stderr)
    fs.writeFileSync(path.join(making, 'inputs.json'), JSON.stringify(inputs))
    const dist = path.join(web, 'dist')
    if (fs.existsSync(dist)) fs.renameSync(dist, old)
    fs.renameSync(making, dist)
  } finally {
    for (const folder of [making, old]) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Each file by its name, with its time and size. */
function inputsOf(root) {
  const found = {}
  const walk = (name) => {
    const stat = fs.statSync(path.join(root, name))
    if (!stat.isDirectory()) {
      found[name] = [stat.mtimeMs, stat.size]
      return
    }
    const children = fs.readdirSync(path.join(root, name)).filter((child) => !LEFT_OUT.test(child))
    children.map((child) => name + '/' + child).forEach(walk)
  }
  INPUTS.filter((name) => fs.existsSync(path.join(root, name))).forEach(walk)
  return found
}
