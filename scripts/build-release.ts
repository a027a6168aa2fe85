// docs/decisions/0303
// `npm run release [-- FOLDER]`: what is published, with its checksums, in dist/release or the folder that is named.
import path from 'node:path'
import { buildRelease } from './release.ts'

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../dist/release'))
process.stdout.write(buildRelease(folder))
console.log(`in ${path.relative(process.cwd(), folder)}`)
