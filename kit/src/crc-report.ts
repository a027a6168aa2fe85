import { canonicalJson } from './encoding/canonical-json.ts'
import { isJsonObject } from './encoding/strict-json.ts'
import { utf8 } from './encoding/bytes.ts'
import type { ZipInput } from './encoding/zip-layout.ts'
import { jsonOrNull } from './parsing.ts'

/**
 * The CRC-32s of the large artifacts, signed through the manifest. A verifier compares the zip headers with it instead of
 * computing each CRC-32, which would add half to the time of hashing.
 */
export const CRC_REPORT_PATH = 'reports/crc32.json'

const LARGE_BYTES = 1024 * 1024

/** The report, or undefined if no artifact is large enough. */
export function crcReport(files: readonly ZipInput[]): Uint8Array | undefined {
  const large = files.filter(({ sizeBytes }) => sizeBytes >= LARGE_BYTES)
  if (large.length === 0) return undefined
  const crc32 = Object.fromEntries(large.map((file) => [file.path, file.crc32.toString(16).padStart(8, '0')]))
  return utf8(canonicalJson({ crc32 }))
}

/** Parses a report. A malformed one is ignored, and every CRC-32 is computed. */
export function parseCrcReport(bytes: Uint8Array): ReadonlyMap<string, number> {
  const trusted = new Map<string, number>()
  const value = jsonOrNull(bytes)
  const crcs = isJsonObject(value) ? value['crc32'] : undefined
  if (!isJsonObject(crcs)) return trusted
  for (const [path, crc32] of Object.entries(crcs)) {
    if (typeof crc32 === 'string' && /^[0-9a-f]{8}$/.test(crc32))
      trusted.set(path, Number.parseInt(crc32, 16))
  }
  return trusted
}
