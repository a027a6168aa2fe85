import { exitOnClosedPipe } from '../bin/exit-on-closed-pipe.cjs'
import { main } from './main.ts'
import { EXIT } from './terminal.ts'

/** The entry of the one-file builds. */
// Node.js 22 warns that SQLite is new.
process.removeAllListeners('warning').on('warning', ({ name, message }) => {
  if (name !== 'ExperimentalWarning') console.error(`${name}: ${message}`)
})
const argv = process.argv.slice(2)
exitOnClosedPipe(argv[0])
main(argv).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error)
    process.exitCode = EXIT.usage
  },
)
