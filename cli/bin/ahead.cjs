'use strict'
const fs = require('fs')
const path = require('path')

// As isLarge() of kit/node/spread.ts, which is not loaded yet.
const LARGE_BYTES = 48 * 1024 * 1024
/** More would wait for the disk, and each takes memory. */
const MOST = 8

/**
 * Where a large archive is to be verified, processes that hash it start before this program is loaded: every core is then
 * at work about as soon as the first. Not threads, because a thread of Node takes longer to start than Node.
 */
exports.start = (argv, cache) => {
  try {
    return start(argv, cache)
  } catch {
    // What stands in the way here stands in the way of the program too, and that can say what it is.
    return undefined
  }
}

function start(argv, cache) {
  const archive = argv[0] === 'verify' ? argv.slice(1).find(isLargeFile) : undefined
  // Where it was never tried, threads serve.
  if (archive === undefined || process.platform === 'win32') return undefined
  const others = Math.min(require('os').availableParallelism(), MOST) - 1
  const ledger = others > 0 ? openLedger() : undefined
  if (ledger === undefined) return undefined
  const { dev, ino, size, mtimeMs, ctimeMs } = fs.statSync(archive)
  // In the words of fileIdentity() of kit/node/file-source.ts.
  const identity = [dev, ino, size, mtimeMs, ctimeMs].join(' ')
  const env =
    cache === undefined ? process.env : Object.assign({}, process.env, { NODE_COMPILE_CACHE: cache })
  const processes = []
  for (let who = 1; who <= others; who++) processes.push(begin([archive, identity, String(who)], ledger, env))
  return { path: archive, identity, ledger, processes }
}

/** Ends whatever is still at work. */
exports.stop = (ahead) => {
  if (ahead !== undefined) for (const started of ahead.processes) started.kill()
}

function begin(args, ledger, env) {
  const program = path.join(__dirname, '..', 'dist', 'measure-ahead.cjs')
  const started = require('child_process').spawn(process.execPath, [program].concat(args), {
    stdio: ['ignore', 'ignore', 'ignore', ledger],
    env,
  })
  // One that cannot start is missed by no one.
  started.on('error', () => undefined)
  started.unref()
  return started
}

function isLargeFile(name) {
  if (name.startsWith('-')) return false
  const file = fs.statSync(name, { throwIfNoEntry: false })
  return file !== undefined && file.isFile() && file.size >= LARGE_BYTES
}

/** A file without a name, which is gone with the last process that has it open; undefined where there is no place for it. */
function openLedger() {
  const name = path.join(require('os').tmpdir(), `kitseal-${process.pid}-${Date.now()}`)
  try {
    const file = fs.openSync(name, 'ax+', 0o600)
    fs.unlinkSync(name)
    return file
  } catch {
    return undefined
  }
}
