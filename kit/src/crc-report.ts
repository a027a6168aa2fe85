import { canonicalJson } from './encoding/canonical-json.ts'
import { isJsonObject, type JsonValue, parseStrictJson } from './encoding/strict-json.ts'
import { utf8 } from './encoding/utf8.ts'

/**
 * The CRC-32s of the large artifacts, in a file that the manifest lists and the receipt so signs. A verifier compares
 * the archive's headers with it instead of computing each CRC-32 over content that it hashes with SHA-256 anyway, which
 * would take half as long again.
 */
export const CRC_REPORT_PATH = 'reports/crc32.json'

const LARGE_BYTES = 1024 * 1024

/** Whether a report has the CRC-32 of an artifact of this size. */
export function isInCrcReport(sizeBytes: number): boolean {
  return sizeBytes >= LARGE_BYTES
}

export interface CrcMeasured {
  readonly path: string
  readonly sizeBytes: number
  readonly crc32: number
}

/** The report, or undefined where no artifact is large enough to need it. */
export function crcReport(files: readonly CrcMeasured[]): Uint8Array | undefined {
  const large = files.filter(({ sizeBytes }) => isInCrcReport(sizeBytes))
  if (large.length === 0) return undefined
  const crc32 = Object.fromEntries(large.map((file) => [file.path, file.crc32.toString(16).padStart(8, '0')]))
  return utf8(canonicalJson({ crc32 }))
}

/** Reads a report; one that is not well-formed vouches for nothing, and every CRC-32 is computed. */
export function parseCrcReport(bytes: Uint8Array): ReadonlyMap<string, number> {
  const vouched = new Map<string, number>()
  const value = parseOrNull(bytes)
  const listed = isJsonObject(value) ? value['crc32'] : undefined
  if (!isJsonObject(listed)) return vouched
  for (const [path, crc32] of Object.entries(listed)) {
    if (typeof crc32 === 'string' && /^[0-9a-f]{8}$/.test(crc32))
      vouched.set(path, Number.parseInt(crc32, 16))
  }
  return vouched
}

function parseOrNull(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(bytes)
  } catch {
    return null
  }
}
