import { exitOnClosedPipe } from '../bin/exit-on-closed-pipe.cjs'
import { main } from './main.ts'
import { EXIT } from './terminal.ts'

/** The entry of the one-file builds. */
exitOnClosedPipe()
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error)
    process.exitCode = EXIT.usage
  },
)
