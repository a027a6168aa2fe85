'use strict'
const fs = require('fs')
const path = require('path')

// As isLarge() of kit/node/spread.ts, which is not loaded yet.
const LARGE_BYTES = 48 * 1024 * 1024

/**
 * A thread takes longer to start than this program takes to load. So where a large file is to be verified, the threads
 * that will hash it start first; a thread that turns out to have nothing to do is ended with the program.
 */
exports.start = (argv) => {
  if (argv[0] !== 'verify' || !argv.slice(1).some(isLargeFile)) return []
  const { Worker } = require('worker_threads')
  const file = path.join(__dirname, '..', 'dist', 'measure-thread.cjs')
  return Array.from({ length: require('os').availableParallelism() - 1 }, () => {
    const worker = new Worker(file)
    // Nobody waits for a thread that has nothing to do, nor hears of its troubles.
    worker.on('error', () => undefined)
    worker.unref()
    return worker
  })
}

function isLargeFile(name) {
  if (name.startsWith('-')) return false
  const file = fs.statSync(name, { throwIfNoEntry: false })
  return file !== undefined && file.isFile() && file.size >= LARGE_BYTES
}
