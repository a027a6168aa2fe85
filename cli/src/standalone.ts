import { main } from './main.ts'

/** The entry of the one-file builds. */
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
