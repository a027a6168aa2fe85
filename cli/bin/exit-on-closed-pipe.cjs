'use strict'

/** Exits quietly with code 2 when the reader closes the pipe, as `head` does; reports other write errors. */
exports.exitOnClosedPipe = () => {
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') process.stderr.write(`kitseal: cannot write the result: ${error.message}\n`)
    process.exit(2)
  })
  process.stderr.on('error', () => undefined)
}
