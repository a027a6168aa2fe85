import { endWithReader } from '../bin/end-with-reader.cjs'
import { main } from './main.ts'
import { EXIT } from './terminal.ts'

/** The entry of the one-file builds. */
endWithReader()
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error)
    process.exitCode = EXIT.usage
  },
)
