#!/usr/bin/env node
'use strict'
// Plain JavaScript for old Node versions. Loads only what `kitseal verify` needs, because start-up time matters.
const fs = require('fs')
const path = require('path')
const major = Number(process.versions.node.split('.')[0])
/** Commands with the server in them. */
const NEEDS_SERVER = ['admin', 'demo', 'serve']
/** In a release: the command line without the server, for older Node versions. */
const ALONE = path.join(__dirname, 'alone.cjs')

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

/** Continues under another Node; returns false if there is nothing to change. */
function becomeChosenNode() {
  const node24 = require('./node24.cjs')
  try {
    const node = node24.chosen()
    if (!node) return false
    node24.become(node, [__filename].concat(process.argv.slice(2)))
  } catch (error) {
    console.error('kitseal: ' + error.message)
    process.exitCode = 2
  }
  return true
}

if (process.env.KITSEAL_NODE && becomeChosenNode()) {
  // The other process does the rest.
} else if (major >= 24) {
  if (process.argv[2] === 'serve') becomeLean()
  const argv = process.argv.slice(2)
  const cache = cacheFolder()
  if (cache !== undefined) {
    require('module').enableCompileCache(cache)
    // Threads inherit only the variable.
    process.env.NODE_COMPILE_CACHE = cache
  }
  // The server keeps running when its reader closes the pipe.
  if (argv[0] !== 'serve') require('./exit-on-closed-pipe.cjs').exitOnClosedPipe(argv[0])
  const isFresh = require('./bundle.cjs').isFresh(argv[0])
  if (isFresh && NEEDS_SERVER.indexOf(argv[0]) >= 0) useBundledService()
  const load = () => {
    if (!isFresh) return import('../src/main.ts')
    return argv[0] === 'verify' ? require('../dist/verify.cjs') : import('../dist/main.mjs')
  }
  Promise.resolve()
    .then(load)
    .then((cli) => cli.main(argv, process))
    .then(
      (code) => {
        process.exitCode = code
      },
      (error) => {
        console.error(error)
        process.exitCode = 2
      },
    )
} else {
  const node24 = require('./node24.cjs')
  const node = node24.find()
  if (node) {
    node24.become(node, [__filename].concat(process.argv.slice(2)))
  } else if (NEEDS_SERVER.indexOf(process.argv[2]) < 0 && fs.existsSync(ALONE)) {
    require(ALONE)
  } else {
    console.error(node24.missing())
    process.exitCode = 2
  }
}
