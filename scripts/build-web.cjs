'use strict'
// Plain JavaScript that old versions of Node can parse. Builds the web pages with Vite under Node 24, and compresses them.
const childProcess = require('child_process')
const fs = require('fs')
const path = require('path')
const { acquireLock } = require('./lock.cjs')

// The pages are rebuilt when any of these files changes.
const INPUTS = ['web', 'kit/src', 'kit/embed', 'client/src', 'evidence/src', 'package-lock.json']
const IGNORED = /^(dist(\..*)?|node_modules|test)$|\.(test|trial)\.tsx?$/

/** Does nothing if the pages are up to date. `log` is called before a build. */
exports.buildPages = async (root, node, log) => {
  if (!fs.existsSync(path.join(root, 'web', 'vite.config.ts')) || isFresh(root)) return
  const lock = await acquireLock(path.join(root, '.cache', 'build-web.lock'), () =>
    log('Waiting for another build of the web pages…'),
  )
  try {
    if (isFresh(root)) return
    log('Building the web pages…')
    build(root, node)
  } finally {
    lock.release()
  }
}

function isFresh(root) {
  try {
    const before = JSON.parse(fs.readFileSync(path.join(root, 'web', 'dist', 'inputs.json'), 'utf8'))
    const now = readInputs(root)
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
  const output = path.join(web, 'dist.' + process.pid)
  const old = output + '.old'
  try {
    const inputs = readInputs(root)
    const vite = path.join(
      path.dirname(require.resolve('vite/package.json', { paths: [web] })),
      'bin',
      'vite.js',
    )
    const args = [vite, 'build', '--logLevel', 'warn', '--outDir', output, '--emptyOutDir']
    const built = childProcess.spawnSync(node, args, { cwd: web, encoding: 'utf8' })
    if (built.status !== 0)
      throw new Error('building the web pages failed:\n' + (built.stderr || built.stdout || built.error))
    const compressed = childProcess.spawnSync(node, [path.join(__dirname, 'compress-files.cjs'), output], {
      encoding: 'utf8',
    })
    if (compressed.status !== 0) throw new Error('compressing the web pages failed:\n' + compressed.stderr)
    fs.writeFileSync(path.join(output, 'inputs.json'), JSON.stringify(inputs))
    const dist = path.join(web, 'dist')
    if (fs.existsSync(dist)) fs.renameSync(dist, old)
    fs.renameSync(output, dist)
  } finally {
    for (const folder of [output, old]) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The modification time and size of each input file. */
function readInputs(root) {
  const found = {}
  const walk = (name) => {
    const stat = fs.statSync(path.join(root, name))
    if (!stat.isDirectory()) {
      found[name] = [stat.mtimeMs, stat.size]
      return
    }
    const children = fs.readdirSync(path.join(root, name)).filter((child) => !IGNORED.test(child))
    children.map((child) => name + '/' + child).forEach(walk)
  }
  INPUTS.filter((name) => fs.existsSync(path.join(root, name))).forEach(walk)
  return found
}
