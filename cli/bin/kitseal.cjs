#!/usr/bin/env node
'use strict'
// Plain JavaScript for old Node versions. Loads only what `kitseal verify` needs, because start-up time matters.
const path = require('path')

/** Commands with the server in them. */
const NEEDS_SERVER = new Set(['admin', 'demo', 'serve'])
/** Commands that print until they are ended, and their exit code without a reader. A monitor must not lose its alerts unnoticed. */
const ENDLESS = { events: 0, monitor: 2 }
/** Arguments of a verification that needs neither the network nor a policy, and so only the small bundle. */
const PLAIN = /^(?:--(?:jwks|kid|use-kit-keys|json)(?:=|$)|[^-])/

function becomeLean() {
  try {
    require('../../server/lean-process.cjs').becomeLean()
  } catch (error) {
    // This build does not include the server; `serve` reports that.
    if (error.code !== 'MODULE_NOT_FOUND') throw error
  }
}

/** The service consists of 1,400 modules: its bundle starts in a fraction of the time. */
function useBundledService() {
  const bundle = require('./bundle.cjs').freshService()
  if (bundle === undefined) return
  const url = require('url').pathToFileURL(bundle).href
  require('module').registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@kitseal/server'
        ? { url, format: 'module', shortCircuit: true }
        : next(specifier, context),
  })
}

/**
 * The compile cache. Not Node's default in the shared temp folder, where another user could plant compiled code, and
 * never below the working directory, whose files are not trusted.
 */
function cacheFolder() {
  const { XDG_CACHE_HOME, HOME } = process.env
  try {
    const folder = XDG_CACHE_HOME || (HOME || require('os').homedir()) + '/.cache'
    return path.isAbsolute(folder) ? folder + '/kitseal' : undefined
  } catch {
    // In a container, the user may have no home folder.
    return undefined
  }
}

/**
 * When the reader closes the pipe, as `head` does: ends an endless command, and lets every other one finish, whose exit code
 * says what it found. Reports other write errors.
 */
function exitOnClosedPipe(command) {
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') {
      process.stderr.write(`kitseal: cannot write the result: ${error.message}\n`)
      process.exit(2)
    }
    if (Object.hasOwn(ENDLESS, command)) process.exit(ENDLESS[command])
  })
}

/** The process, which ignores that nobody reads its errors. Its standard error is opened when it is used. */
const quietProcess = Object.create(process, {
  stderr: {
    get: () => {
      const { stderr } = process
      if (stderr.listenerCount('error') === 0) stderr.on('error', () => undefined)
      return stderr
    },
  },
})

/** The bundle where it is up to date, else the source. */
function load(argv) {
  const { isFresh } = require('./bundle.cjs')
  const isPlain =
    argv[0] === 'verify' && argv.slice(1).every((arg) => PLAIN.test(arg) && !arg.includes('://'))
  if (isPlain && isFresh('verify')) {
    const { run } = require('../dist/verify.cjs')
    return { main: ([, ...args], terminal) => run(args, terminal) }
  }
  if (!isFresh()) return import('../src/main.ts')
  if (NEEDS_SERVER.has(argv[0])) useBundledService()
  return import('../dist/main.mjs')
}

async function start(argv) {
  if (argv[0] === 'serve') becomeLean()
  const cache = cacheFolder()
  if (cache !== undefined) {
    require('module').enableCompileCache(cache)
    // Threads inherit only the variable.
    process.env.NODE_COMPILE_CACHE = cache
  }
  // The server keeps running when its reader closes the pipe.
  if (argv[0] !== 'serve') exitOnClosedPipe(argv[0])
  const { main } = await load(argv)
  return main(argv, argv[0] === 'serve' ? process : quietProcess)
}

const argv = process.argv.slice(2)
if (parseInt(process.versions.node) >= 24) {
  start(argv).then(
    (code) => {
      process.exitCode = code
    },
    (error) => {
      console.error(error)
      process.exitCode = 2
    },
  )
} else {
  require('./node24.cjs').run(__filename, argv)
}
