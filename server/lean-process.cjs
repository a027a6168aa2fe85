'use strict'
// Plain JavaScript: it runs before anything else is loaded, under whatever Node there is.
//
// A service that takes uploads makes many short-lived buffers. Node's defaults keep them for long: a young generation of
// 48 MB, and a pool of memory for each thread that gives little back. Both can be set only when a process begins, so the
// process begins anew, under its own id, before it has done anything.
const FLAG = '--max-semi-space-size'
const MEBIBYTES = 4

// What lives long is some 30 MB in each thread, and grows slowly. Left to itself V8 looks through all of it whenever 2 MB
// were added, which takes as long as sealing two kits; here it may double first. Not given when the process begins: a
// Node that no longer knows this would not start.
const GROWTH = '--heap-growing-percent=100'

/** Does not return where the process is begun anew. */
exports.becomeLean = () => {
  const { env, execArgv, execPath, argv } = process
  const isLean = execArgv.some((arg) => arg.startsWith(FLAG)) || env.MALLOC_ARENA_MAX !== undefined
  if (isLean || process.platform !== 'linux' || typeof process.execve !== 'function') {
    require('node:v8').setFlagsFromString(GROWTH)
    return
  }
  const args = [execPath, `${FLAG}=${MEBIBYTES}`].concat(execArgv, argv.slice(1))
  process.execve(execPath, args, Object.assign({}, env, { MALLOC_ARENA_MAX: '2' }))
}
