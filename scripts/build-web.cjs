'use strict'
// Plain JavaScript that old versions of Node can parse. Builds the web pages with Vite under Node 24, and compresses them.
const childProcess = require('child_process')
const fs = require('fs')
const path = require('path')
const { acquireLock } = require('./lock.cjs')

// The pages are rebuilt when any of these files changes.
const INPUTS = ['web', 'kit/src', 'kit/embed', 'client/src', 'examiner/src', 'package-lock.json']
const IGNORED = /^(dist(\..*)?|node_modules|test)$|\.(test|trial)\.tsx?$/

/**
 * Does nothing if the pages are up to date. `log` is called before a build. Quick compression takes a thirtieth of the
 * time, and the files are a tenth larger.
 */
exports.buildPages = async (root, node, log, quick) => {
  if (!fs.existsSync(path.join(root, 'web', 'vite.config.ts')) || isFresh(root, quick)) return
  const lock = await acquireLock(path.join(root, '.cache', 'build-web.lock'), () =>
    log('Waiting for another build of the web pages…'),
  )
  try {
    if (isFresh(root, quick)) return
    log('Building the web pages…')
    await build(root, node, quick)
  } finally {
    lock.release()
  }
}

function isFresh(root, quick) {
  try {
    const built = JSON.parse(fs.readFileSync(path.join(root, 'web', 'dist', 'inputs.json'), 'utf8'))
    const before = built.files
    const now = readInputs(root)
    const names = Object.keys(now)
    return (
      (quick || !built.quick) &&
      names.length === Object.keys(before).length &&
      names.every((name) => String(before[name]) === String(now[name]))
    )
  } catch {
    return false
  }
}

async function build(root, node, quick) {
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
    await run(node, args, web, 'building the web pages failed')
    const compress = [path.join(__dirname, 'compress-files.cjs'), output, quick ? 'quick' : 'best']
    await run(node, compress, web, 'compressing the web pages failed')
    fs.writeFileSync(path.join(output, 'inputs.json'), JSON.stringify({ quick: !!quick, files: inputs }))
    const dist = path.join(web, 'dist')
    if (fs.existsSync(dist)) fs.renameSync(dist, old)
    fs.renameSync(output, dist)
  } finally {
    for (const folder of [output, old]) fs.rmSync(folder, { recursive: true, force: true })
  }
}

function run(node, args, cwd, failure) {
  return new Promise((resolve, reject) => {
    // Vite builds other pages if NODE_ENV is set to something else, as `node --test` does.
    const env = Object.assign({}, process.env, { NODE_ENV: 'production' })
    childProcess.execFile(node, args, { cwd, env }, (error, stdout, stderr) =>
      error ? reject(new Error(failure + ':\n' + (stderr || stdout || error.message))) : resolve(),
    )
  })
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
