// docs/decisions/0154
import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KnownContent, ZipDirectory } from '@kitseal/kit'

/** A zip that is still being received, whose entries are hashed as they arrive. */
export interface ArrivingZip {
  /** Hashes what has arrived, up to this offset. Those bytes never change again. */
  advance(availableBytes: number): void
  /** What an entry of the complete archive contains, if it was hashed on arrival. */
  contentOf(directory: ZipDirectory, trustedCrc32: TrustedCrc32): (name: string) => KnownContent | undefined
}

/** Reads exactly the bytes of the buffer. */
type ReadInto = (buffer: Uint8Array, offset: number) => void
type TrustedCrc32 = (name: string) => number | undefined

interface Content extends Omit<KnownContent, 'crc32'> {
  readonly crc32: number | undefined
}

interface OpenEntry {
  readonly headerAt: number
  readonly sizeBytes: number
  readonly end: number
  readonly hash: Hash
  crc32: number | undefined
}

const WINDOW_BYTES = 256 * 1024
/** Smaller entries are hashed later, so that an archive of millions of them needs no memory here. */
const SMALL_BYTES = 4 * 1024
/** The kit lists the CRC-32s of larger files in a signed report, and they need not be computed. */
const CRC_BYTES = 1024 * 1024

const [SIGNATURE, HEADER_BYTES, STORED, LATE_SIZES, ZIP64] = [0x04034b50, 30, 0, 8, 0xffffffff]

/**
 * Hashes stored entries one after another, without the central directory, which comes last. What is found here is only used
 * if the directory has an entry with the same header, and verification still compares the two headers.
 */
export function arrivingZip(readInto: ReadInto): ArrivingZip {
  const contents = new Map<number, Content>()
  let at = 0
  let available = 0
  let entry: OpenEntry | undefined
  const buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES)
  let window = { at: 0, bytes: buffer.subarray(0, 0) }

  /** At least `leastBytes` bytes from `at` on, or undefined until they have arrived. */
  function next(leastBytes: number): Uint8Array | undefined {
    if (at + leastBytes > available) return undefined
    if (at < window.at || at + leastBytes > window.at + window.bytes.length) {
      window = { at, bytes: buffer.subarray(0, Math.min(WINDOW_BYTES, available - at)) }
      readInto(window.bytes, at)
    }
    return window.bytes.subarray(at - window.at)
  }

  function readHeader(): boolean {
    const bytes = next(HEADER_BYTES)
    if (bytes === undefined) return false
    const header = parseHeader(bytes)
    // The end of the entries, or one whose end cannot be told from its header.
    if (header === undefined) {
      at = Infinity
      return false
    }
    const { method, sizeBytes, dataBytes, headerBytes } = header
    const headerAt = at
    at += headerBytes
    if (method !== STORED || sizeBytes !== dataBytes || sizeBytes < SMALL_BYTES) at += dataBytes
    else {
      const crc = sizeBytes < CRC_BYTES ? 0 : undefined
      entry = { headerAt, sizeBytes, end: at + sizeBytes, hash: createHash('sha256'), crc32: crc }
    }
    return true
  }

  function hashMore(open: OpenEntry): boolean {
    const bytes = next(1)?.subarray(0, open.end - at)
    if (bytes === undefined) return false
    open.hash.update(bytes)
    if (open.crc32 !== undefined) open.crc32 = crc32(bytes, open.crc32)
    at += bytes.length
    if (at < open.end) return true
    const { headerAt, sizeBytes, hash } = open
    contents.set(headerAt, { sizeBytes, crc32: open.crc32, sha256: hash.digest('hex') })
    entry = undefined
    return true
  }

  return {
    advance(availableBytes) {
      available = availableBytes
      while (entry === undefined ? readHeader() : hashMore(entry));
    },
    contentOf(directory, trustedCrc32) {
      const byName = new Map<string, Content | undefined>()
      for (const { name, headerOffset } of directory.entries)
        byName.set(name, byName.has(name) ? undefined : contents.get(headerOffset))
      return (name) => {
        const content = byName.get(name)
        const crc = content?.crc32 ?? trustedCrc32(name)
        return content === undefined || crc === undefined ? undefined : { ...content, crc32: crc }
      }
    },
  }
}

function parseHeader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const dataBytes = view.getUint32(18, true)
  const hasLateSizes = (view.getUint16(6, true) & LATE_SIZES) !== 0
  if (view.getUint32(0, true) !== SIGNATURE || hasLateSizes || dataBytes === ZIP64) return undefined
  return {
    method: view.getUint16(8, true),
    dataBytes,
    sizeBytes: view.getUint32(22, true),
    headerBytes: HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true),
  }
}
