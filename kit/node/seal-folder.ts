import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { base64url } from '../src/encoding/bytes.ts'
import { layOutZip, type ZipLayout } from '../src/encoding/zip-layout.ts'
import { START_PAGE_PATH } from '../src/envelope.ts'
import { type Jwks, publicJwk } from '../src/jwks.ts'
import { measured, type SealedKit, type SealInput, sealKit } from '../src/seal.ts'
import { trustKeys } from '../src/trust.ts'
import { fileChunks } from './read-files.ts'
import { type LocalFile, measureFolder } from './measure-folder.ts'
import { nodeHost } from './node-host.ts'
import type { NodeSigner } from './read-keys.ts'
import { verifyKitFile } from './open-kit.ts'
import { startPage } from './verifier-page.ts'

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
  const found = await measureFolder(folder, 'data/')
  if (!found.ok) throw new Error(`${folder} cannot be sealed: ${found.problems.join('; ')}`)
  const scope = options.scope ?? basename(resolve(folder))
  const kit = await sealFiles(found.files, { ...options, scope })
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
  const page = measured(START_PAGE_PATH, startPage(issuer), nodeHost)
  const jwks: Jwks = { keys: [publicJwk(signer.x)] }
  const input = { ...identity, issuer, scope, files: [...files, page], jwks, signer }
  const sealed = await sealKit(input, nodeHost)
  const contents = new Map<string, Uint8Array | { readonly diskPath: string }>()
  for (const { path, diskPath } of files) contents.set(path, { diskPath })
  for (const { path, bytes } of [page, ...sealed.generated]) contents.set(path, bytes)
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

/** Creates the temporary file, and removes it if the process is interrupted before the result is disposed. */
type TemporaryFileGuard = (create: () => string) => Disposable

/** Writes an archive to a temporary file, which gets its name once `check` accepts it. A failure leaves nothing behind. */
export async function writeZip(
  out: string,
  layout: ZipLayout,
  contentOf: (path: string) => Uint8Array | { readonly diskPath: string },
  check: (path: string) => Promise<void>,
  guard: TemporaryFileGuard = unguarded,
): Promise<void> {
  const temporary = `${out}.${process.pid}.part`
  let file = -1
  using _ = guard(() => {
    file = openSync(temporary, 'wx')
    return temporary
  })
  try {
    try {
      for (const piece of layout.pieces(0, layout.sizeBytes)) {
        if ('bytes' in piece) writeAll(file, piece.bytes)
        else await writeContent(file, contentOf(piece.path), piece.path, piece.end)
      }
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    await check(temporary)
    renameSync(temporary, out)
  } finally {
    rmSync(temporary, { force: true })
  }
}

function unguarded(create: () => string): Disposable {
  create()
  return { [Symbol.dispose]: () => undefined }
}

async function writeContent(
  file: number,
  content: Uint8Array | { readonly diskPath: string },
  path: string,
  sizeBytes: number,
): Promise<void> {
  if (content instanceof Uint8Array) return writeAll(file, content)
  let left = sizeBytes
  for (const bytes of fileChunks(content.diskPath)) {
    left -= bytes.length
    if (left < 0) break
    writeAll(file, bytes)
    // Lets signal handlers run.
    await nextTick()
  }
  if (left !== 0) throw new Error(`${path} changed while it was sealed`)
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
