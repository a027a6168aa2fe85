import { generateKeyPairSync } from 'node:crypto'
import {
  canonicalJson,
  canonicalReceiptSha256,
  ENVELOPE,
  type ErrorCode,
  fromUtf8,
  hex,
  type JsonValue,
  type KitFiles,
  layOutZip,
  type Manifest,
  manifestSha256,
  type MeasuredFile,
  openZip,
  parseManifest,
  parseReceipt,
  parseStrictJson,
  type Receipt,
  sealKit,
  signedBytes,
  utf8,
} from '@kitseal/kit/internal'
import { nodeHost, nodeSigner } from '@kitseal/kit/internal/node'

/** A kit as files by path, with its parsed documents. */
export interface UnpackedKit {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly manifest: Manifest
  readonly receipt: Receipt
}

export interface Attempt {
  readonly title: string
  /** The error code that the verifier must report. Another code does not count. */
  readonly caughtBy: ErrorCode
  readonly tamper: (kit: UnpackedKit, target: Target) => KitContents | Promise<KitContents>
}

/** The file to tamper with. */
export interface Target {
  readonly path: string
  readonly change: (content: string) => string
}

type KitContents = ReadonlyMap<string, Uint8Array>

/** Each attempt goes further, up to forging everything except the issuer's signature. */
export const ATTEMPTS: readonly Attempt[] = [
  {
    title: 'Change a word in the access review',
    caughtBy: 'artifact_hash_mismatch',
    tamper: changeEvidence,
  },
  {
    title: 'Remove a file',
    caughtBy: 'artifact_missing',
    tamper: ({ files }, { path }) => without(files, path),
  },
  {
    title: 'Add a file',
    caughtBy: 'artifact_unlisted',
    tamper: ({ files }) => withFile(files, 'data/approved-by-everyone.txt', utf8('Approved.\n')),
  },
  {
    title: 'Change a file and update the manifest',
    caughtBy: 'manifest_hash_mismatch',
    tamper: changeManifest,
  },
  {
    title: 'Backdate the kit by a minute and update every hash',
    caughtBy: 'signature_invalid',
    tamper: backdate,
  },
  {
    title: "Forge the whole kit and sign it with another key in the issuer's name",
    caughtBy: 'key_id_mismatch',
    tamper: signAgain,
  },
]

function changeEvidence({ files }: UnpackedKit, { path, change }: Target): KitContents {
  const content = files.get(path)
  if (content === undefined) throw new Error(`the kit does not contain ${path}`)
  return withFile(files, path, utf8(change(fromUtf8(content) ?? '')))
}

function changeManifest(kit: UnpackedKit, target: Target): KitContents {
  const files = changeEvidence(kit, target)
  const changed = files.get(target.path) ?? new Uint8Array()
  const artifacts = kit.manifest.artifacts.map((artifact) =>
    artifact.path === target.path
      ? { ...artifact, sha256: sha256Hex(changed), size_bytes: changed.length }
      : artifact,
  )
  const manifest = hashedManifest({ ...kit.manifest, artifacts })
  return withFile(files, ENVELOPE.manifest, utf8(canonicalJson(manifest)))
}

function backdate({ files, manifest, receipt }: UnpackedKit): KitContents {
  const issued_at = new Date(Date.parse(receipt.issued_at) - 60_000).toISOString()
  const backdated = hashedManifest({ ...manifest, issued_at })
  const { canonical_receipt_sha256: _, signature, ...rest } = receipt
  const stated = { ...rest, issued_at, manifest_sha256: backdated.manifest_sha256 }
  const signed = { ...stated, canonical_receipt_sha256: canonicalReceiptSha256(stated, nodeHost.digest) }
  return new Map([
    ...files,
    [ENVELOPE.manifest, utf8(canonicalJson(backdated))],
    [ENVELOPE.receipt, utf8(canonicalJson({ ...signed, signature }))],
    [ENVELOPE.canonicalReceipt, signedBytes(signed)],
  ])
}

function hashedManifest(manifest: Manifest): Manifest {
  const { manifest_sha256: _, ...rest } = manifest
  return { ...rest, manifest_sha256: manifestSha256(rest, nodeHost.digest) }
}

async function signAgain(kit: UnpackedKit, target: Target): Promise<KitContents> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const signer = nodeSigner(privateKey)
  const { kid, x } = signer
  const { receipt } = kit
  const changed = new Map([...changeEvidence(kit, target)].filter(([path]) => isSupplied(path)))
  const sealed = await sealKit(
    {
      kitId: receipt.kit_id,
      jobId: receipt.job_id,
      issuedAt: receipt.issued_at,
      issuer: receipt.issuer,
      scope: receipt.scope,
      files: [...changed].map(([path, bytes]) => measured(path, bytes)),
      jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }] },
      signer,
    },
    nodeHost,
  )
  return new Map([...changed, ...sealed.generated.map(({ path, bytes }) => [path, bytes] as const)])
}

/** Files that sealing does not generate. */
const isSupplied = (path: string): boolean => /^(data|verifier)\/|^binder\.pdf$/.test(path)

const MAX_FILE_BYTES = 256 * 1024 * 1024

export async function unpackKit(kit: KitFiles): Promise<UnpackedKit> {
  const files = new Map<string, Uint8Array>()
  for (const { path } of kit.files) files.set(path, await kit.read(path, MAX_FILE_BYTES))
  const manifest = parseManifest(documentOf(files, ENVELOPE.manifest))
  const receipt = parseReceipt(documentOf(files, ENVELOPE.receipt))
  if (!manifest.ok || !receipt.ok) throw new Error('not a kit')
  return { files, manifest: manifest.value, receipt: receipt.value }
}

/** Packs a well-formed archive, so that only the tampering itself can be caught. */
export async function repackKit(files: KitContents, { receipt }: UnpackedKit): Promise<KitFiles> {
  const layout = layOutZip(
    receipt.kit_id,
    [...files].map(([path, bytes]) => measured(path, bytes)),
    receipt.issued_at,
  )
  const zip = Buffer.concat(
    [...layout.pieces(0, layout.sizeBytes)].map((piece) =>
      'bytes' in piece
        ? piece.bytes
        : (files.get(piece.path) ?? new Uint8Array()).subarray(piece.start, piece.end),
    ),
  )
  return openZip({ sizeBytes: zip.length, read: (at, length) => zip.subarray(at, at + length) }, nodeHost)
}

const documentOf = (files: KitContents, path: string): JsonValue =>
  parseStrictJson(files.get(path) ?? new Uint8Array())
const sha256Hex = (bytes: Uint8Array): string => hex(nodeHost.digest(bytes))
const withFile = (files: KitContents, path: string, bytes: Uint8Array): KitContents =>
  new Map([...files, [path, bytes]])
const without = (files: KitContents, path: string): KitContents =>
  new Map([...files].filter(([other]) => other !== path))

function measured(path: string, bytes: Uint8Array): MeasuredFile {
  return { path, sha256: sha256Hex(bytes), sizeBytes: bytes.length, crc32: nodeHost.crc32(bytes, 0) }
}
