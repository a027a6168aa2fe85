import { randomBytes } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { base64url } from '../src/encoding/base64url.ts'
import { hex } from '../src/encoding/hex.ts'
import { layOutZip } from '../src/encoding/zip-layout.ts'
import { START_PAGE_PATH } from '../src/envelope.ts'
import { type Jwks, publicJwk } from '../src/jwks.ts'
import { sealKit, type SealedKit, type SealInput } from '../src/seal.ts'
import { trustKeys } from '../src/trust.ts'
import { type LocalFile, measureFolder } from './measure-folder.ts'
import { nodeHost } from './node-host.ts'
import type { NodeSigner } from './node-signer.ts'
import { startPage } from './verifier-page.ts'
import { verifyKitFile } from './verify-kit-file.ts'
import { type TemporaryFileGuard, writeZip } from './write-zip.ts'

export interface SealOptions {
  readonly signer: NodeSigner
  /** The URL of the issuer. Readers pin the key for it. */
  readonly issuer: string
  readonly scope: string
  /** For a kit that is made again byte for byte. By default, IDs are random and the time is now. */
  readonly identity?: Pick<SealInput, 'kitId' | 'jobId' | 'issuedAt'>
}

export interface FileKit {
  readonly sealed: SealedKit
  readonly jwks: Jwks
  readonly contents: ReadonlyMap<string, Uint8Array | { readonly diskPath: string }>
}

/**
 * Seals a folder into a kit.zip, and verifies it before it gets its name. The default scope is the folder's name, the
 * default output the kit ID and `.zip`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readPrivateKey, sealFolder } from '@kitseal/kit/node'
 *
 * const signer = readPrivateKey('issuer.key')
 * const kit = await sealFolder('evidence', { signer, issuer: 'https://issuer.example', out: 'kit.zip' })
 * assert.equal(kit.path, 'kit.zip')
 * assert.equal(kit.receipt.scope, 'evidence')
 * ```
 */
export async function sealFolder(
  folder: string,
  options: Omit<SealOptions, 'scope'> & { readonly scope?: string; readonly out?: string },
): Promise<Pick<SealedKit, 'manifest' | 'receipt'> & { readonly path: string }> {
  const measured = await measureFolder(folder, 'data/')
  if (!measured.ok) throw new Error(`${folder} cannot be sealed: ${measured.problems.join('; ')}`)
  const scope = options.scope ?? basename(resolve(folder))
  const kit = await sealFiles(measured.files, { ...options, scope })
  const { manifest, receipt } = kit.sealed
  const path = options.out ?? `${manifest.kit_id}.zip`
  await writeKit(path, kit)
  return { path, manifest, receipt }
}

/** Seals measured files, with START-HERE.html, into a kit that writeKit() can write. */
export async function sealFiles(
  files: readonly LocalFile[],
  { signer, issuer, scope, identity = newIdentity() }: SealOptions,
): Promise<FileKit> {
  const page = startPage(issuer)
  const pageFile = {
    path: START_PAGE_PATH,
    sha256: hex(nodeHost.digest(page)),
    sizeBytes: page.length,
    crc32: nodeHost.crc32(page, 0),
  }
  const jwks: Jwks = { keys: [publicJwk(signer.x)] }
  const sealed = await sealKit(
    {
      ...identity,
      issuer,
      scope,
      files: [...files, pageFile],
      jwks,
      signer,
    },
    nodeHost,
  )
  const contents = new Map<string, Uint8Array | { readonly diskPath: string }>([[START_PAGE_PATH, page]])
  for (const { path, diskPath } of files) contents.set(path, { diskPath })
  for (const { path, bytes } of sealed.generated) contents.set(path, bytes)
  return { sealed, jwks, contents }
}

const newIdentity = (): NonNullable<SealOptions['identity']> => ({
  kitId: `kit_${base64url(randomBytes(20))}`,
  jobId: `job_${base64url(randomBytes(20))}`,
  issuedAt: new Date().toISOString(),
})

/** Writes a kit.zip. The file gets its name only after it was verified. */
export async function writeKit(out: string, kit: FileKit, guard?: TemporaryFileGuard): Promise<void> {
  const { manifest, files } = kit.sealed
  const layout = layOutZip(manifest.kit_id, files, manifest.issued_at)
  const check = async (path: string): Promise<void> => {
    const { status, errors } = await verifyKitFile(path, trustKeys(kit.jwks))
    if (status === 'FAIL') throw new Error(`it would not verify: ${errors.join('; ')}`)
  }
  await writeZip(out, layout, (path) => kit.contents.get(path) ?? new Uint8Array(0), check, guard)
}
