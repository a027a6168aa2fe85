import { createInflateRaw } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { brokenData, type RandomAccess, ZipProblem } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { blockReads, type Reads } from '../objects/block-reads.ts'
import { gather, giveBack } from '../objects/own-memory.ts'
import type { EvidenceContext } from './examine-evidence.ts'
import type { InflateSizes, Surroundings } from './surroundings.ts'

/** The rules in the service: content lies in the object store, and Node inflates. */
export function objectSurroundings({ objects, scanner }: EvidenceContext): Surroundings {
  return {
    host: nodeHost,
    // A store that sends pieces on holds them for longer than they are lent.
    ...(objects.isRemote ? {} : { free: freeInflated }),
    inflate: inflateInPieces,
    async setAside(content) {
      const { sha256, sizeBytes } = await objects.put(content)
      return {
        object: sha256,
        source: objectSource(objects, sha256, sizeBytes),
        discard: () => objects.delete(sha256),
      }
    },
    scanner,
  }
}

export function objectSource(objects: Reads, sha256: string, sizeBytes: number): RandomAccess {
  const near = blockReads(objects, new Map([[sha256, sizeBytes]]))
  return {
    sizeBytes,
    read(offset, length) {
      const end = Math.min(offset + length, sizeBytes)
      return gather(near.read(sha256, offset, end), end - offset)
    },
    done: giveBack,
  }
}

/** Node gives each of them memory of its own. */
function freeInflated({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const PIECE_BYTES = 256 * 1024

/** Stops as soon as more comes out than was declared; data that is cut short or followed by anything is broken. */
export async function* inflateInPieces(
  deflated: AsyncIterable<Uint8Array>,
  { compressedBytes, sizeBytes }: InflateSizes,
): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES })
  const feeding = pipeline(
    Readable.from(deflated, { objectMode: false, highWaterMark: PIECE_BYTES }),
    inflater,
  )
  feeding.catch(() => undefined)
  let inflated = 0
  try {
    for await (const bytes of inflater as AsyncIterable<Uint8Array>) {
      inflated += bytes.length
      if (inflated > sizeBytes) throw brokenData()
      yield bytes
    }
    await feeding
  } catch (error) {
    throw error instanceof ZipProblem ? error : broken(error)
  } finally {
    inflater.destroy()
  }
  if (inflated !== sizeBytes) throw brokenData()
  if (inflater.bytesWritten !== compressedBytes) throw brokenData()
}

/** Only what zlib says of the data is about the data: a store that fails is not the archive's fault. */
function broken(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') ? brokenData() : error
}
