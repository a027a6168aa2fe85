'use strict'

/** Commands that print until they are ended, and their exit code without a reader. A monitor must not lose its alerts unnoticed. */
const ENDLESS = { events: 0, monitor: 2 }

/**
 * When the reader closes the pipe, as `head` does: ends an endless command, and lets every other one finish, whose exit code
 * says what it found. Reports other write errors.
 */
exports.exitOnClosedPipe = (command) => {
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') {
      process.stderr.write(`kitseal: cannot write the result: ${error.message}\n`)
      process.exit(2)
    }
    if (Object.hasOwn(ENDLESS, command)) process.exit(ENDLESS[command])
  })
  process.stderr.on('error', () => undefined)
}
