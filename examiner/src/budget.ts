import {
  type EvidenceLimits,
  LISTS_TOTAL_BYTES,
  OFFICE_TOTAL_PARTS,
  PARSED_TOTAL_BYTES,
  RATIO_FLOOR_BYTES,
  RECOGNISED_TOTAL_BYTES,
} from './limits.ts'
import type { Finding } from './rules.ts'

/** Tracks how much of its limits one submission has used. */
export class Budget {
  readonly #limits: EvidenceLimits
  readonly #uploadedBytes: number
  #entries = 0
  #bytes = 0
  #officeBytes = 0
  #officeParts = 0
  #listBytes = 0
  #parsedBytes = 0
  #recognisedBytes = 0

  constructor(limits: EvidenceLimits, uploadedBytes: number) {
    this.#limits = limits
    this.#uploadedBytes = uploadedBytes
  }

  /** Reserves what an archive declares that it contains, before any of it is unpacked. */
  admit(entries: number, unpackedBytes: number, packedBytes: number): Finding | undefined {
    const { entries: maxEntries, unpackedBytes: maxBytes, ratio } = this.#limits
    const files = this.#entries + entries
    if (files > maxEntries)
      return { code: 'too_many_entries', detail: `${files} entries; the limit is ${maxEntries}` }
    const total = this.#bytes + unpackedBytes
    const isBomb = unpackedBytes > ratio * packedBytes || total > ratio * this.#uploadedBytes
    if (isBomb && total > RATIO_FLOOR_BYTES) {
      return {
        code: 'archive_ratio',
        detail: `${packedBytes} bytes unpack to ${unpackedBytes}; the limit is a factor of ${ratio}`,
      }
    }
    if (total > maxBytes)
      return { code: 'too_large_unpacked', detail: `${total} bytes; the limit is ${maxBytes}` }
    this.#entries = files
    this.#bytes = total
    return undefined
  }

  /** Applies the ratio to an Office file by itself, and to all Office files together. */
  checkOfficeRatio(unpackedBytes: number, packedBytes: number): Finding | undefined {
    const { ratio } = this.#limits
    const total = this.#officeBytes + unpackedBytes
    if (total <= RATIO_FLOOR_BYTES) return undefined
    if (unpackedBytes <= ratio * packedBytes && total <= ratio * this.#uploadedBytes) return undefined
    return { code: 'archive_ratio', detail: `it unpacks to ${unpackedBytes} bytes` }
  }

  /** Reserves the parts of an Office file. Returns false if they exceed the limit. */
  takeOfficeParts(parts: number, unpackedBytes: number): boolean {
    if (this.#officeBytes + unpackedBytes > this.#limits.unpackedBytes) return false
    if (this.#officeParts + parts > OFFICE_TOTAL_PARTS) return false
    this.#officeBytes += unpackedBytes
    this.#officeParts += parts
    return true
  }

  /** Reserves memory for a checksum list. */
  takeChecksumList(bytes: number): boolean {
    if (this.#listBytes + bytes > LISTS_TOTAL_BYTES) return false
    this.#listBytes += bytes
    return true
  }

  /** Reserves work for a slow parser. */
  readonly takeParsing = (bytes: number): boolean => {
    if (this.#parsedBytes + bytes > PARSED_TOTAL_BYTES) return false
    this.#parsedBytes += bytes
    return true
  }

  /** Reserves work for reading the output of known tools. */
  readonly takeRecognising = (bytes: number): boolean => {
    if (this.#recognisedBytes + bytes > RECOGNISED_TOTAL_BYTES) return false
    this.#recognisedBytes += bytes
    return true
  }
}
