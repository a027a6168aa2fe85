import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '@kitseal/kit/node'
import { examineFiles } from './examine-files.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { memoryPlatform } from './platform/platform.ts'
import { DEFAULT_PROFILE } from './profile/profile.ts'
import { intakeReport } from './reports.ts'
import { memorySource } from './platform/sources.ts'

test('the intake report counts the files of each upload in one pass', async () => {
  const input = {
    files: Array.from({ length: 50 }, (_, index) => ({
      name: `${index % 49}.txt`,
      source: memorySource(new TextEncoder().encode('text\n')),
      object: `supplied ${index}`,
    })),
    limits: DEFAULT_LIMITS,
    profile: DEFAULT_PROFILE,
    now: '2026-11-15T00:00:00.000Z',
    accept: [],
  }
  const examined = await examineFiles(memoryPlatform(nodeHost), input)
  let reads = 0
  const files = examined.files.map((file) => ({
    ...file,
    get from() {
      reads += 1
      return file.from
    },
  }))
  const report = intakeReport(input, { ...examined, files }) as {
    readonly supplied: readonly { readonly files: number }[]
  }
  assert.equal(reads, 50)
  assert.deepEqual(
    report.supplied.map((supplied) => supplied.files),
    [2, ...Array<number>(48).fill(1), 2],
  )
})
