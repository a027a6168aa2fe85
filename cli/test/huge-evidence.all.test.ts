// `KITSEAL_LARGE_GIB=5 npm test -- huge-evidence` examines files of 5 GiB, which are made while they are read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '@kitseal/examiner/node'
import type { RandomAccess } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { scratchFolder } from '../src/scratch-folder.ts'

const gib = Number(process.env['KITSEAL_LARGE_GIB'] ?? 0)
const MAX_MEMORY_BYTES = 200 * 1024 * 1024
const LIMITS = { entries: 10_000, unpackedBytes: 50 * 1024 ** 3, ratio: 200, nesting: 2, blockers: 500 }

/** A start, then the same lines again and again. */
function repeated(start: Uint8Array, line: string): RandomAccess {
  const lines = Buffer.from(line.repeat(Math.ceil((2 * 1024 * 1024) / line.length)))
  const { length: period } = Buffer.from(line)
  return {
    sizeBytes: start.length + period * Math.floor((gib * 1024 ** 3) / period),
    read(offset, length) {
      const bytes = Buffer.alloc(length)
      const inStart = Math.max(0, Math.min(length, start.length - offset))
      if (inStart > 0) bytes.set(start.subarray(offset, offset + inStart))
      for (let at = inStart; at < length;) {
        const from = (offset + at - start.length) % period
        const part = lines.subarray(from, from + length - at)
        bytes.set(part, at)
        at += part.length
      }
      return bytes
    },
  }
}

const CASES: readonly (readonly [string, RandomAccess, readonly string[]])[] = [
  ['a.log', repeated(Buffer.alloc(0), '2026-06-01 10:00:00 INFO request in Zürich took 12 ms\n'), []],
  ['a.csv', repeated(Buffer.from('id,name,note\n'), '17,"Ada, of London",ok\n'), []],
  [
    'a.yaml',
    repeated(Buffer.from('a: &x 1\n'), '- name: a\n'),
    [
      'The file was not examined completely. It is too large to parse as YAML: up to 256 KB of a file, and 4 MB of all, are parsed.',
    ],
  ],
  [
    'a.mp4',
    repeated(Buffer.from('000000186674797069736f6d0000020069736f6d6d703431', 'hex'), '\0\x01\x02video\xff'),
    ['Files of this type are accepted, but not examined. It is an MP4 video.'],
  ],
]

for (const [name, source, expected] of CASES) {
  test(
    `${name} of ${gib} GiB is examined in bounded memory`,
    { skip: gib === 0 && 'set KITSEAL_LARGE_GIB' },
    async (t) => {
      const before = process.cpuUsage()
      const { rss } = process.memoryUsage()
      let peak = 0
      const watched = {
        sizeBytes: source.sizeBytes,
        read(offset: number, length: number) {
          peak = Math.max(peak, process.memoryUsage.rss() - rss)
          return source.read(offset, length)
        },
      }
      using scratch = scratchFolder()
      const platform = { host: nodeHost, store: scratch.store }
      const { blockers, findings } = await checkFiles(platform, {
        files: [{ name, source: watched }],
        limits: LIMITS,
        now: '2026-06-30T12:00:00.000Z',
      })
      assert.deepEqual(blockers, [])
      assert.deepEqual(
        findings.map(({ message }) => message),
        expected,
      )
      const { user, system } = process.cpuUsage(before)
      t.diagnostic(`${((user + system) / 1e6).toFixed(1)} s of CPU time, ${(peak / 1e6).toFixed(0)} MB`)
      assert.ok(peak < MAX_MEMORY_BYTES, `${peak} bytes of memory`)
    },
  )
}
