'use strict'

/**
 * Whoever has read enough, as `head` has, closes the pipe: nobody is left to be told anything. Where the result cannot be
 * written for another reason, the exit code is not that of a verdict.
 */
exports.endWithReader = () => {
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE')
      process.stderr.write(`kitseal: the result cannot be written: ${error.message}\n`)
    process.exit(2)
  })
  process.stderr.on('error', () => undefined)
}
