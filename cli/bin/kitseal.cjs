#!/usr/bin/env node
'use strict'
// Plain JavaScript that old releases of Node can parse. Start-up time counts: nothing is loaded here that
// `kitseal verify` can do without.
const major = Number(process.versions.node.split('.')[0])

function becomeLean() {
  try {
    require('@kitseal/server/lean-process').becomeLean()
  } catch (error) {
    // Without the service there is nothing to serve, and `serve` says so.
    if (error.code !== 'MODULE_NOT_FOUND') throw error
  }
}

/**
 * Where compiled code is kept. Not in Node's default folder in the shared temp folder: there, another user could plant
 * compiled code. Nor below the folder that this runs in, where anybody's files may lie.
 */
function cacheFolder() {
  const { XDG_CACHE_HOME, HOME } = process.env
  try {
    const folder = XDG_CACHE_HOME || (HOME || require('os').homedir()) + '/.cache'
    return require('path').isAbsolute(folder) ? folder + '/kitseal' : undefined
  } catch {
    // In a container, a user may have neither name nor home.
    return undefined
  }
}

if (major >= 24) {
  if (process.argv[2] === 'serve') becomeLean()
  const argv = process.argv.slice(2)
  const cache = cacheFolder()
  if (cache !== undefined) require('module').enableCompileCache(cache)
  // A service outlives whoever read what it said.
  if (argv[0] !== 'serve') require('./end-with-reader.cjs').endWithReader()
  const isFresh = require('./bundle.cjs').isFresh(argv[0])
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
  } else {
    console.error(node24.missing())
    process.exitCode = 2
  }
}
