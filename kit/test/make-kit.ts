import { createPrivateKey } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeHost, type NodeSigner, nodeSigner } from '../node/internal.ts'
import {
  type Host,
  hex,
  type Jwks,
  type KitFiles,
  layOutZip,
  openZip,
  publicJwk,
  sealKit,
  type SealedKit,
  type SealInput,
  utf8,
} from '../src/internal.ts'

export const KIT_ID = 'kit_0123456789abcdefghijkl'
export const ISSUED_AT = '2026-03-04T05:06:07.890Z'
export const ISSUER = 'https://issuer.example'

export interface MadeKit {
  readonly sealed: SealedKit
  readonly contents: ReadonlyMap<string, Uint8Array>
  readonly jwks: Jwks
  readonly zip: Uint8Array
}

/** A signer from a fixed seed, so that kits are reproducible. */
export function testSigner(seed = 1): NodeSigner {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const der = Buffer.concat([prefix, Buffer.alloc(32, seed)])
  return nodeSigner(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

export function keySetOf({ x }: NodeSigner, period: { iat?: number; exp?: number } = {}): Jwks {
  return { keys: [publicJwk(x, period)] }
}

/** Seals evidence, given as path in data/ → content, with a fixed key, time and ID. `added` are files of the issuer. */
export async function makeKit(
  evidence: Readonly<Record<string, string | Uint8Array>> = { 'hello.txt': 'hello\n' },
  changes: Partial<SealInput> = {},
  added: Readonly<Record<string, string>> = {},
): Promise<MadeKit> {
  const signer = testSigner()
  const contents = new Map<string, Uint8Array>()
  for (const [path, content] of Object.entries(evidence)) {
    contents.set(`data/${path}`, typeof content === 'string' ? utf8(content) : content)
  }
  for (const [path, content] of Object.entries(added)) contents.set(path, utf8(content))
  const files = [...contents].map(([path, bytes]) => ({
    path,
    sha256: hex(nodeHost.digest(bytes)),
    sizeBytes: bytes.length,
    crc32: nodeHost.crc32(bytes, 0),
  }))
  const jwks = changes.jwks ?? keySetOf(signer, { iat: 1_700_000_000 })
  const input = {
    kitId: KIT_ID,
    jobId: 'job_0123456789abcdefghijkl',
    issuedAt: ISSUED_AT,
    issuer: ISSUER,
    scope: 'Quarter 3',
    files,
    jwks,
    signer,
  }
  const sealed = await sealKit({ ...input, ...changes }, nodeHost)
  for (const { path, bytes } of sealed.generated) contents.set(path, bytes)
  return { sealed, contents, jwks, zip: zipBytes(sealed, contents) }
}

export function zipBytes(sealed: SealedKit, contents: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const layout = layOutZip(sealed.manifest.kit_id, sealed.files, sealed.manifest.issued_at)
  return Buffer.concat([...layout.pieces(0, layout.sizeBytes)].map((piece) => pieceBytes(piece, contents)))
}

export function pieceBytes(
  piece: { bytes: Uint8Array } | { path: string; start: number; end: number },
  contents: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  return 'bytes' in piece ? piece.bytes : contents.get(piece.path)!.subarray(piece.start, piece.end)
}

/** Writes a kit as a folder, as unzip would. */
export function writeFolder(folder: string, contents: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, bytes] of contents) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

export function openBytes(zip: Uint8Array, host: Host = nodeHost): Promise<KitFiles> {
  return openZip({ sizeBytes: zip.length, read: (at, length) => zip.subarray(at, at + length) }, host)
}
