'use strict'

/** Whoever has read enough, as `head` has, closes the pipe: nobody is left to be told anything. */
exports.endWithReader = () => {
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(2)
  })
}
