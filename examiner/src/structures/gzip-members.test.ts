import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RandomAccess, ZipProblem } from '@kitseal/kit/internal'
import { findMembers } from './gzip-members.ts'

const GIB = 1024 ** 3
const HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
const LIMITS = { ratio: 200, unpackedBytes: 50 * GIB }

/** A gzip file whose content has a size, without making it: data is zeros, and the size is stored modulo 2^32. */
function gzipOf(
  contentBytes: number,
  sizeBytes: number,
  at: Readonly<Record<number, number[]>> = {},
): RandomAccess {
  const size = new Uint8Array(4)
  new DataView(size.buffer).setUint32(0, contentBytes % 2 ** 32, true)
  const parts: [number, ArrayLike<number>][] = [
    [0, HEADER],
    [sizeBytes - 4, size],
  ]
  for (const [offset, bytes] of Object.entries(at)) parts.push([Number(offset), bytes])
  return {
    sizeBytes,
    read(offset, length) {
      const bytes = new Uint8Array(length)
      for (const [from, part] of parts) {
        for (let index = 0; index < part.length; index++) {
          const place = from + index - offset
          if (place >= 0 && place < length) bytes[place] = part[index] ?? 0
        }
      }
      return bytes
    },
  }
}

/** An inflater whose data always unpacks to a number of bytes. */
function inflatesTo(contentBytes: number) {
  const chunk = new Uint8Array(16 * 1024 * 1024)
  return async function* (_: AsyncIterable<Uint8Array>, sizeBytes: number) {
    for (let left = contentBytes; left > 0; left -= chunk.length) {
      if (contentBytes - left > sizeBytes) throw new ZipProblem('too much')
      yield chunk.subarray(0, left)
    }
    if (contentBytes !== sizeBytes) throw new ZipProblem('not the size')
  }
}

const sizes = async (
  source: RandomAccess,
  startsAt: readonly number[],
  contentBytes: number,
  limits = LIMITS,
) => {
  const admits = ({ sizeBytes }: { readonly sizeBytes: number }): boolean => sizeBytes <= limits.unpackedBytes
  const members = await findMembers(source, startsAt, inflatesTo(contentBytes), limits, admits)
  return typeof members === 'string' ? members : members.map(({ sizeBytes }) => sizeBytes)
}

test('a gzip file may hold more than 4 GiB, which its size field does not say', async () => {
  const megabytes = 100 * 1024 * 1024
  for (const content of [3 * GIB, 4 * GIB - 1, 4 * GIB, 4 * GIB + 5, 13 * GIB + 7]) {
    assert.deepEqual(await sizes(gzipOf(content, megabytes), [0], content), [content])
  }
  const content = 4 * GIB + 5
  assert.equal(
    await sizes(gzipOf(content, megabytes), [0], content, { ...LIMITS, unpackedBytes: GIB }),
    'limit',
  )
  // The stored size is wrong: what is inflated shows it when the content is examined.
  assert.deepEqual(await sizes(gzipOf(content, megabytes), [0], 5 * GIB), [5])
})

test('bytes that look like the start of a member in compressed data do not make a file damaged', async () => {
  const [content, size] = [3 * GIB, 400 * 1024 * 1024]
  const noise = { 1_000_000: [0x1f, 0x8b, 8, 99], 90_000_000: [0x1f, 0x8b, 8, 0, 1, 1, 1, 1, 7, 3] }
  assert.deepEqual(await sizes(gzipOf(content, size, noise), [0, 1_000_000, 90_000_000], content), [content])
})
