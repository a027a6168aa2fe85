// `npm run release [-- [--all] [FOLDER]]`: builds and signs the published files, in dist/release or FOLDER. With --all, for all
// platforms, with Node.js from npm, instead of for this machine. KITSEAL_RELEASE_KEY names the private key of the publisher, and
// KITSEAL_RELEASE_ISSUER the URL. SOURCE_DATE_EPOCH is the time, instead of that of the commit.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildRelease } from './release.ts'
import { releaseSigner } from './sign-release.ts'

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true })
const folder = path.resolve(positionals[0] ?? path.join(import.meta.dirname, '../dist/release'))
const signer = releaseSigner(process.env)
process.stdout.write(await buildRelease(folder, { allPlatforms: values.all === true, signer }))
console.log(`Wrote ${path.relative(process.cwd(), folder)}`)
console.log(
  signer.isThrowAway
    ? 'NOT FOR PUBLICATION: signed with a key that was made for this build and thrown away. Set KITSEAL_RELEASE_KEY to the key of the publisher.'
    : `Signed by ${signer.issuer} with the key ${signer.signer.kid}`,
)
