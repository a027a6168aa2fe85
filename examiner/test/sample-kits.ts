import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Jwks, openZip, publicJwk, type TrustedKeySet } from '@kitseal/kit/internal'
import { nodeHost, nodeSigner, sealFolder } from '@kitseal/kit/internal/node'
import { memorySource } from '../src/platform/sources.ts'
import { type Contents } from './evidence-samples.ts'
import { tempFolder } from './temp-folder.ts'

/** An issuer with a key of its own. */
export function sampleIssuer(issuer: string) {
  const signer = nodeSigner(generateKeyPairSync('ed25519').privateKey)
  const jwks: Jwks = { keys: [publicJwk(signer.x)] }
  const keySet: TrustedKeySet = { ...jwks, refused: [], revoked: [], source: 'confirmed', issuer }
  return {
    keySet,
    /** The bytes of a kit.zip with these files. */
    async seal(files: Contents): Promise<Uint8Array> {
      const folder = tempFolder()
      const evidence = join(folder, 'evidence')
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(evidence, name)), { recursive: true })
        writeFileSync(join(evidence, name), content)
      }
      const { path } = await sealFolder(evidence, { signer, issuer, out: join(folder, 'kit.zip') })
      return readFileSync(path)
    },
  }
}

/** The files of a kit.zip, by their path below `folder`. */
export async function unpacked(zip: Uint8Array, folder: string): Promise<Record<string, Uint8Array>> {
  const kit = await openZip(memorySource(zip), nodeHost)
  const files = kit.files.map(async ({ path, sizeBytes }) => {
    return [`${folder}/${path}`, new Uint8Array(await kit.read(path, sizeBytes))] as const
  })
  return Object.fromEntries(await Promise.all(files))
}
