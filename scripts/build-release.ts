// docs/decisions/0303
// `npm run release [-- [--all] [FOLDER]]`: builds the published files with their checksums, in dist/release or FOLDER.
// With --all, the executables of all platforms, with Node.js from npm, instead of the one for this machine.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildRelease } from './release.ts'

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true })
const folder = path.resolve(positionals[0] ?? path.join(import.meta.dirname, '../dist/release'))
process.stdout.write(buildRelease(folder, { allPlatforms: values.all === true }))
console.log(`Wrote ${path.relative(process.cwd(), folder)}`)
