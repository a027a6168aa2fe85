import {
  BOUNDARY,
  canonicalReceiptSha256,
  parseReceipt,
  type Receipt,
  RECEIPT_VERSION,
  signedBytes,
} from './receipt.ts'
import { CRC_REPORT_PATH, crcReport } from './crc-report.ts'
import { base64url, copyBytes, hex, utf8 } from './encoding/bytes.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import { inZipOrder, type ZipInput } from './encoding/zip-layout.ts'
import { ENVELOPE, KEY_SET_LABEL } from './envelope.ts'
import type { Host } from './host.ts'
import type { Jwks } from './jwks.ts'
import { type Manifest, manifestRootHash, manifestSha256, parseManifest } from './manifest.ts'
import { comparePaths } from './paths.ts'
import { GUIDE_PATH, verificationGuide } from './verification-guide.ts'

/** A file that was hashed where it is stored. */
export interface MeasuredFile extends ZipInput {
  readonly sha256: string
}

interface GeneratedFile extends MeasuredFile {
  readonly bytes: Uint8Array
}

export interface KitSigner {
  readonly kid: string
  /** Returns the 64 bytes of a pure Ed25519 signature. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>
}

export interface SealInput {
  readonly kitId: string
  readonly jobId: string
  /** RFC 3339, UTC, milliseconds, Z. */
  readonly issuedAt: string
  readonly issuer: string
  readonly scope: string
  /** Evidence in data/, and what the issuer adds: binder.pdf, reports/…, START-HERE.html. */
  readonly files: readonly MeasuredFile[]
  readonly jwks: Jwks
  readonly signer: KitSigner
}

export interface SealedKit {
  readonly manifest: Manifest
  readonly receipt: Receipt
  /** The files that sealing adds: bag files, guide, checksums and envelope. */
  readonly generated: readonly GeneratedFile[]
  /** Every file of the kit in the order of kit.zip, ready for layOutZip. */
  readonly files: readonly MeasuredFile[]
}

/**
 * Seals measured files into a kit: bag, manifest, receipt, signature. Throws for anything that would not verify.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { createHash } from 'node:crypto'
 * import { publicJwk, sealKit } from '@kitseal/kit'
 * import { nodeHost, readPrivateKey } from '@kitseal/kit/node'
 *
 * const signer = readPrivateKey('issuer.key')
 * const content = new TextEncoder().encode('name,role\n')
 * const sealed = await sealKit(
 *   {
 *     kitId: 'kit_example',
 *     jobId: 'job_example',
 *     issuedAt: '2026-01-31T12:00:00.000Z',
 *     issuer: 'https://issuer.example',
 *     scope: 'Access review',
 *     files: [
 *       {
 *         path: 'data/users.csv',
 *         sha256: createHash('sha256').update(content).digest('hex'),
 *         sizeBytes: content.length,
 *         crc32: nodeHost.crc32(content, 0),
 *       },
 *     ],
 *     jwks: { keys: [publicJwk(signer.x)] },
 *     signer,
 *   },
 *   nodeHost,
 * )
 * assert.ok(sealed.generated.some(({ path }) => path === 'receipt.json'))
 * ```
 */
export async function sealKit(input: SealInput, host: Host): Promise<SealedKit> {
  const measure: Measure = (path, bytes) => measured(path, bytes, host)
  const keySet = measure(ENVELOPE.keySet, utf8(canonicalJson({ keys: input.jwks.keys })))
  const added = addedFiles(input, keySet, measure)
  const given = input.files.map(({ path, sha256, sizeBytes, crc32 }) => ({ path, sha256, sizeBytes, crc32 }))
  const artifacts = [...given, ...added].toSorted((a, b) => comparePaths(a.path, b.path))
  const manifest = makeManifest(input, artifacts, host)
  const { receipt, signature, signed } = await signReceipt(input, manifest, host)
  const envelope = [
    measure(ENVELOPE.manifest, utf8(canonicalJson(manifest))),
    measure(ENVELOPE.receipt, utf8(canonicalJson(receipt))),
    measure(ENVELOPE.canonicalReceipt, signed),
    measure(ENVELOPE.signature, signature),
    keySet,
  ]
  return {
    manifest,
    receipt,
    generated: [...added, ...envelope],
    files: inZipOrder<MeasuredFile>(artifacts, envelope),
  }
}

type Measure = (path: string, bytes: Uint8Array) => GeneratedFile

function addedFiles(input: SealInput, keySet: GeneratedFile, measure: Measure): readonly GeneratedFile[] {
  const { kitId, issuer, signer, files } = input
  const added = bagFiles(input, files, keySet.sha256).map(({ path, bytes }) => measure(path, bytes))
  added.push(measure(GUIDE_PATH, verificationGuide({ kitId, issuer, kid: signer.kid })))
  const crc = crcReport(files)
  if (crc !== undefined) added.push(measure(CRC_REPORT_PATH, crc))
  added.push(measure(SUMS_PATH, sumsFile([...files, ...added])))
  return added
}

function makeManifest(input: SealInput, files: readonly MeasuredFile[], host: Host): Manifest {
  // Members are in canonical order, which is faster to serialize.
  const manifest = {
    artifacts: files.map(({ path, sha256, sizeBytes }) => ({ path, sha256, size_bytes: sizeBytes })),
    boundary: BOUNDARY,
    issued_at: input.issuedAt,
    job_id: input.jobId,
    kit_id: input.kitId,
    manifest_sha256: '',
    receipt_version: RECEIPT_VERSION,
  }
  manifest.manifest_sha256 = manifestSha256(manifest, host.digest)
  const parsed = parseManifest(manifest)
  if (!parsed.ok) throw new Error(`cannot seal the kit: ${parsed.problems.join('; ')}`)
  return manifest
}

async function signReceipt(
  { jobId, kitId, issuedAt, issuer, scope, signer }: SealInput,
  manifest: Manifest,
  host: Host,
): Promise<{ readonly receipt: Receipt; readonly signature: Uint8Array; readonly signed: Uint8Array }> {
  // JSON escapes can be written in upper or lower case, so a flipped bit could go unnoticed.
  if (/\p{Cc}/u.test(issuer + scope))
    throw new Error('cannot seal the kit: the issuer or the scope contains a control character')
  const receipt = {
    boundary: BOUNDARY,
    canonical_receipt_sha256: '',
    issued_at: issuedAt,
    issuer,
    job_id: jobId,
    kit_id: kitId,
    manifest_root_hash: manifestRootHash(manifest.artifacts, host.digest),
    manifest_sha256: manifest.manifest_sha256,
    public_key_kid: signer.kid,
    receipt_version: RECEIPT_VERSION,
    scope,
    signature: '',
    signature_algorithm: 'Ed25519' as const,
  }
  receipt.canonical_receipt_sha256 = canonicalReceiptSha256(receipt, host.digest)
  const signed = signedBytes(receipt)
  // A copy, because what is signed is also a file of the kit.
  const signature = copyBytes(await signer.sign(copyBytes(signed)))
  receipt.signature = base64url(signature)
  const parsed = parseReceipt(receipt)
  if (!parsed.ok) throw new Error(`cannot seal the kit: ${parsed.problems.join('; ')}`)
  return { receipt, signature, signed }
}

/** Hashes a generated file. */
export function measured(path: string, bytes: Uint8Array, host: Host): GeneratedFile {
  return {
    path,
    bytes,
    sizeBytes: bytes.length,
    sha256: hex(host.digest(bytes)),
    crc32: host.crc32(bytes, 0),
  }
}

/** Lists every artifact except itself, for `sha256sum -c`. coreutils cannot read the escapes in BagIt's own manifest. */
export const SUMS_PATH = 'SHA256SUMS'

const PAYLOAD_PREFIX = 'data/'

type Listed = Pick<MeasuredFile, 'path' | 'sha256' | 'sizeBytes'>

/** The files that make the kit's folder a BagIt 1.0 bag (RFC 8493). */
export function bagFiles(
  input: Pick<SealInput, 'kitId' | 'jobId' | 'issuedAt' | 'issuer'>,
  files: readonly Listed[],
  keySetSha256: string,
): readonly { readonly path: string; readonly bytes: Uint8Array }[] {
  const payload = files
    .filter(({ path }) => path.startsWith(PAYLOAD_PREFIX))
    .toSorted((a, b) => comparePaths(a.path, b.path))
  const payloadBytes = payload.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const info = [
    `Source-Organization: ${oneLine(input.issuer)}`,
    `Bagging-Date: ${input.issuedAt.slice(0, 10)}`,
    `External-Identifier: ${input.kitId}`,
    `Internal-Sender-Identifier: ${input.jobId}`,
    `Payload-Oxum: ${payloadBytes}.${payload.length}`,
    `Bag-Software-Agent: kitseal ${RECEIPT_VERSION}`,
    `${KEY_SET_LABEL}: ${keySetSha256}`,
  ]
  return [
    { path: 'bagit.txt', bytes: lines(['BagIt-Version: 1.0', 'Tag-File-Character-Encoding: UTF-8']) },
    { path: 'bag-info.txt', bytes: lines(info) },
    {
      path: 'manifest-sha256.txt',
      bytes: lines(payload.map(({ path, sha256 }) => `${sha256}  ${bagPath(path)}`)),
    },
  ]
}

export function sumsFile(files: readonly Listed[]): Uint8Array {
  const sorted = files.toSorted((a, b) => comparePaths(a.path, b.path))
  return lines(sorted.map(({ path, sha256 }) => `${sha256}  ${path}`))
}

/** RFC 8493 section 2.1.3. Line breaks need no escape: paths in a kit cannot contain them. */
function bagPath(path: string): string {
  return path.replaceAll('%', '%25')
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

function lines(all: readonly string[]): Uint8Array {
  return utf8(all.map((line) => `${line}\n`).join(''))
}
