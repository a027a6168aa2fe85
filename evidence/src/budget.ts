import type { EvidenceLimits } from './limits.ts'
import { LISTS_TOTAL_BYTES, OFFICE_TOTAL_PARTS, PARSED_TOTAL_BYTES } from './limits.ts'
import type { Finding } from './rules.ts'

/** How much of what one submission may hold is still left. */
export class Budget {
  readonly #limits: EvidenceLimits
  readonly #uploadedBytes: number
  #entries = 0
  #bytes = 0
  #officeBytes = 0
  #officeParts = 0
  #listBytes = 0
  /** How many bytes slow parsers may still take. */
  parsedBytes = PARSED_TOTAL_BYTES

  constructor(limits: EvidenceLimits, uploadedBytes: number) {
    this.#limits = limits
    this.#uploadedBytes = uploadedBytes
  }

  /** Takes what an archive of `packedBytes` says that it holds, before a byte of it is unpacked. */
  admit(entries: number, unpackedBytes: number, packedBytes: number): Finding | undefined {
    const { entries: maxEntries, unpackedBytes: maxBytes, ratio } = this.#limits
    const files = this.#entries + entries
    if (files > maxEntries)
      return { code: 'too_many_entries', seen: `${files} entries; the limit is ${maxEntries}` }
    const total = this.#bytes + unpackedBytes
    if (unpackedBytes > ratio * packedBytes || total > ratio * this.#uploadedBytes) {
      return {
        code: 'archive_ratio',
        seen: `${packedBytes} bytes become ${unpackedBytes}; the limit is ${ratio} times`,
      }
    }
    if (total > maxBytes)
      return { code: 'too_large_unpacked', seen: `${total} bytes; the limit is ${maxBytes}` }
    this.#entries = files
    this.#bytes = total
    return undefined
  }

  /** Office files in office files grow as archives in archives do: each by itself, and all of them together. */
  officeRatio(unpackedBytes: number, packedBytes: number): Finding | undefined {
    const { ratio } = this.#limits
    const total = this.#officeBytes + unpackedBytes
    if (unpackedBytes <= ratio * packedBytes && total <= ratio * this.#uploadedBytes) return undefined
    return { code: 'archive_ratio', seen: `it unpacks to ${unpackedBytes} bytes` }
  }

  /** Whether the parts of an office file may be searched as well. */
  admitOffice(parts: number, unpackedBytes: number): boolean {
    if (this.#officeBytes + unpackedBytes > this.#limits.unpackedBytes) return false
    if (this.#officeParts + parts > OFFICE_TOTAL_PARTS) return false
    this.#officeBytes += unpackedBytes
    this.#officeParts += parts
    return true
  }

  /** Whether a list of checksums may be held. */
  admitList(bytes: number): boolean {
    if (this.#listBytes + bytes > LISTS_TOTAL_BYTES) return false
    this.#listBytes += bytes
    return true
  }
}
