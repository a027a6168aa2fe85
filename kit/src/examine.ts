import { reason, type Why } from './texts/english.ts'
import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  ENVELOPE_PATHS,
  isEnvelopePath,
  LOG_PROOF_LIMIT_BYTES,
  LOG_PROOF_PATH,
  type ProofFile,
  TIME_STAMP_PATH,
} from './envelope.ts'
import { CRC_REPORT_PATH, parseCrcReport } from './crc-report.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import type { KitFiles } from './kit-files.ts'
import type { Host } from './host.ts'
import { type KeySet, parseJwks } from './jwks.ts'
import { type Manifest, manifestRootHash, manifestSha256, parseManifest } from './manifest.ts'
import { type Parsed, parseJson } from './parsing.ts'
import { PROVENANCE_LIMIT_BYTES, PROVENANCE_PATH } from './provenance.ts'
import { TIME_STAMP_LIMIT_BYTES } from './time/time-stamp.ts'

/** A kit, read and hashed: the input of the checks, except the receipt and the keys. */
export interface ExaminedKit {
  readonly manifest: Parsed<Manifest>
  /** The manifest's hashes as computed here; undefined if it could not be read. */
  readonly recomputed: { readonly manifestSha256: string; readonly rootHash: string } | undefined
  readonly folderName: string | undefined
  readonly paths: ReadonlySet<string>
  readonly sizeBytes: ReadonlyMap<string, number>
  readonly sha256: ReadonlyMap<string, string>
  readonly problems: readonly Why[]
  /** Nothing could be read at all. */
  readonly unreadable: boolean
  /** The envelope files; undefined if missing or too large. */
  readonly envelope: Readonly<Record<keyof typeof ENVELOPE, Uint8Array | undefined>>
  readonly logProof: ProofFile
  readonly timeStamp: ProofFile
  readonly bagInfo: Uint8Array | undefined
  readonly provenance: Uint8Array | undefined
  readonly keySet: Parsed<KeySet>
}

const REPORT_LIMIT = 16 * 1024 * 1024

/** Reads and hashes a kit once, for several verifications. */
export async function examineKit(kit: KitFiles, host: Host): Promise<ExaminedKit> {
  const read = async (path: string, limitBytes: number): Promise<Uint8Array | undefined> => {
    if (!paths.has(path)) return undefined
    return kit.read(path, limitBytes).catch(() => undefined)
  }
  const readProof = async (path: string, limitBytes: number): Promise<ProofFile> =>
    paths.has(path) ? ((await read(path, limitBytes)) ?? 'unreadable') : undefined
  const { folderName } = kit
  const problems = [...kit.problems]
  const sizeBytes = new Map(kit.files.map((file) => [file.path, file.sizeBytes]))
  const paths = new Set(sizeBytes.keys())
  const readEnvelope = (name: keyof typeof ENVELOPE): Promise<Uint8Array | undefined> =>
    read(ENVELOPE[name], ENVELOPE_LIMIT_BYTES[name])
  const envelope = {
    manifest: await readEnvelope('manifest'),
    receipt: await readEnvelope('receipt'),
    canonicalReceipt: await readEnvelope('canonicalReceipt'),
    signature: await readEnvelope('signature'),
    keySet: await readEnvelope('keySet'),
  }
  const unreadable = paths.size === 0 && problems.length > 0
  const manifest = parseDocument(envelope.manifest, ENVELOPE.manifest, parseManifest)
  const artifactPaths = new Set(manifest.ok ? manifest.value.artifacts.map(({ path }) => path) : [])
  const crcBytes = artifactPaths.has(CRC_REPORT_PATH) ? await read(CRC_REPORT_PATH, REPORT_LIMIT) : undefined
  const reported = crcBytes === undefined ? new Map<string, number>() : parseCrcReport(crcBytes)
  // Files that are read before they are hashed need their CRC-32 computed.
  const trustedCrc32 = new Map(
    [...reported].filter(([path]) => path !== CRC_REPORT_PATH && !isEnvelopePath(path)),
  )
  const wanted = new Set([...artifactPaths, ...ENVELOPE_PATHS])
  // Hashing comes last: on a large kit, threads are still starting.
  const recomputed = manifest.ok ? recompute(manifest.value, host) : undefined
  const bagInfo = await read('bag-info.txt', REPORT_LIMIT)
  const logProof = await readProof(LOG_PROOF_PATH, LOG_PROOF_LIMIT_BYTES)
  const timeStamp = await readProof(TIME_STAMP_PATH, TIME_STAMP_LIMIT_BYTES)
  const provenance = await read(PROVENANCE_PATH, PROVENANCE_LIMIT_BYTES)
  const measured = await kit.measure({ wanted, trustedCrc32 })
  return {
    manifest,
    recomputed,
    folderName,
    paths,
    sizeBytes,
    sha256: measured.sha256,
    problems: [...problems, ...measured.problems],
    unreadable,
    envelope,
    logProof,
    timeStamp,
    bagInfo,
    provenance,
    keySet: parseDocument(envelope.keySet, ENVELOPE.keySet, parseJwks),
  }
}

export function parseDocument<T>(
  bytes: Uint8Array | undefined,
  name: string,
  parse: (value: JsonValue) => Parsed<T>,
): Parsed<T> {
  if (bytes === undefined) {
    const missing = reason('reason.missingOrBroken', { path: name })
    return { ok: false, problems: [missing.text], reason: missing }
  }
  return parseJson(bytes, parse)
}

function recompute(manifest: Manifest, host: Host): ExaminedKit['recomputed'] {
  return {
    manifestSha256: manifestSha256(manifest, host.digest),
    rootHash: manifestRootHash(manifest.artifacts, host.digest),
  }
}
