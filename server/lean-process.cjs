'use strict'
// Plain JavaScript, because it runs before anything else is loaded and under any version of Node.
//
// Uploads create many short-lived buffers, and Node's defaults keep their memory for long: a young generation of 48 MB,
// and an arena per thread that returns little to the system. Both can only be set when a process starts, so this one
// replaces itself (same process ID) before doing anything else.
const FLAG = '--max-semi-space-size'
const OPTION = `${FLAG}=4`
const VARIABLES = { MALLOC_ARENA_MAX: '2' }

// About 30 MB per thread are long-lived and grow slowly. By default V8 scans all of it after every 2 MB of growth, which
// takes as long as sealing two kits; with this flag it doubles first. Set at run time, because a Node without this flag
// would refuse to start.
const GROWTH = '--heap-growing-percent=100'

/** Does not return if it replaces the process. */
exports.becomeLean = () => {
  const { env, execArgv, execPath, argv } = process
  const isLean = execArgv.some((arg) => arg.startsWith(FLAG)) || env.MALLOC_ARENA_MAX !== undefined
  if (isLean || process.platform !== 'linux' || typeof process.execve !== 'function') {
    require('node:v8').setFlagsFromString(GROWTH)
    return
  }
  const args = [execPath, OPTION].concat(execArgv, argv.slice(1))
  process.execve(execPath, args, Object.assign({}, env, VARIABLES))
}

/** What a process that is started with them need not replace. */
exports.LEAN = { option: OPTION, variables: VARIABLES }
