import type { RandomAccess, Reason } from '@kitseal/kit/internal'
import {
  BYTES_PER_PART,
  type EvidenceLimits,
  FILE_READS,
  LISTS_TOTAL_BYTES,
  MAX_DESCRIBED,
  PART_WORK,
  RATIO_FLOOR_BYTES,
  READS_PER_BYTE,
  RECOGNISED_TOTAL_BYTES,
  TOTAL_PARTS,
  TOTAL_WORK,
  WORK_PER_BYTE,
} from './limits.ts'
import { type Finding, detailOf } from './rules.ts'

/** Tracks how much of its limits one submission has used. */
export class Budget {
  readonly #limits: EvidenceLimits
  readonly #uploadedBytes: number
  #entries = 0
  #bytes = 0
  #officeBytes = 0
  #parts = 0
  #work = 0

  constructor(limits: EvidenceLimits, uploadedBytes: number) {
    this.#limits = limits
    this.#uploadedBytes = uploadedBytes
  }

  /** Reserves what an archive declares that it contains, before any of it is unpacked. */
  admit(entries: number, unpackedBytes: number, packedBytes: number): Finding | undefined {
    const limit = this.#limits.entries
    const files = this.#entries + entries
    if (files > limit)
      return { code: 'too_many_entries', detail: detailOf('detail.entries', { count: files, limit }) }
    const total = this.#bytes + unpackedBytes
    const ratio = { packed: packedBytes, unpacked: unpackedBytes, limit: this.#limits.ratio }
    const problem = this.#sizeProblem(total, ratio, detailOf('detail.ratio', ratio))
    if (problem !== undefined) return problem
    this.#entries = files
    this.#bytes = total
    return undefined
  }

  /** Reserves what an Office file unpacks to, by itself and together with all others. */
  admitOffice(unpackedBytes: number, packedBytes: number): Finding | undefined {
    const total = this.#officeBytes + unpackedBytes
    const sizes = { packed: packedBytes, unpacked: unpackedBytes }
    const problem = this.#sizeProblem(total, sizes, detailOf('detail.unpacksTo', { count: unpackedBytes }))
    if (problem === undefined) this.#officeBytes = total
    return problem
  }

  /** A bomb, by itself or together with what was admitted before, or more than the limit. */
  #sizeProblem(
    total: number,
    { packed, unpacked }: { readonly packed: number; readonly unpacked: number },
    detail: Reason,
  ): Finding | undefined {
    const { ratio, unpackedBytes: limit } = this.#limits
    const isBomb = unpacked > ratio * packed || total > ratio * this.#uploadedBytes
    if (isBomb && total > RATIO_FLOOR_BYTES) return { code: 'archive_ratio', detail }
    return total > limit
      ? { code: 'too_large_unpacked', detail: detailOf('detail.bytes', { count: total, limit }) }
      : undefined
  }

  /** Reserves the work for one part with this many bytes. False if the budget of the submission is used up. */
  takePart(sizeBytes: number): boolean {
    this.#parts++
    if (this.#parts > TOTAL_PARTS + this.#uploadedBytes / BYTES_PER_PART) return false
    return this.takeWork(PART_WORK + sizeBytes)
  }

  /** Reserves work for reading bytes. */
  readonly takeWork = (bytes: number): boolean => {
    this.#work += bytes
    return this.#work <= TOTAL_WORK + WORK_PER_BYTE * this.#uploadedBytes
  }

  /** Whether one more file of an unknown type is described, which takes as long as reading a large one. */
  readonly takeDescription = upTo(MAX_DESCRIBED)

  /** Reserves memory for a checksum list. */
  readonly takeChecksumList = upTo(LISTS_TOTAL_BYTES)

  /** Reserves work for reading the output of known tools. */
  readonly takeRecognising = upTo(RECOGNISED_TOTAL_BYTES)
}

/** Reserves one, or this many. False, and nothing is reserved, if they exceed the limit. */
function upTo(limit: number): (amount?: number) => boolean {
  let taken = 0
  return (amount = 1) => {
    if (taken + amount > limit) return false
    taken += amount
    return true
  }
}

/** A check reads too much of its file again. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

/** The least that a read counts as. */
const READ_WORK = 512

/** A source that can be read a limited number of times. */
export function readableInBudget(source: RandomAccess): RandomAccess {
  let left = FILE_READS + READS_PER_BYTE * source.sizeBytes
  return {
    sizeBytes: source.sizeBytes,
    read(offset, length) {
      left -= Math.max(length, READ_WORK)
      if (left < 0) throw new TooMuchWork()
      return source.read(offset, length)
    },
  }
}
