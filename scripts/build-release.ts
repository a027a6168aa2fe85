// docs/decisions/0303
// `npm run release [-- FOLDER]`: builds the published files with their checksums, in dist/release or FOLDER.
import path from 'node:path'
import { buildRelease } from './release.ts'

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../dist/release'))
process.stdout.write(buildRelease(folder))
console.log(`Wrote ${path.relative(process.cwd(), folder)}`)
