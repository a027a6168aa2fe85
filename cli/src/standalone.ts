import { endWithReader } from '../bin/end-with-reader.cjs'
import { main } from './main.ts'

/** The entry of the one-file builds. */
endWithReader()
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
