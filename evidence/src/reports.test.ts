import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '@kitseal/kit/node'
import { examineFiles } from './examine-files.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { inMemory } from './memory-surroundings.ts'
import { DEFAULT_PROFILE } from './profile.ts'
import { intakeReport } from './reports.ts'
import { memorySource } from './surroundings.ts'

test('of each file it is asked once where it came from, however many were supplied', async () => {
  const input = {
    files: Array.from({ length: 50 }, (_, index) => ({
      name: `${index % 49}.txt`,
      source: memorySource(new TextEncoder().encode('text\n')),
      object: `supplied ${index}`,
    })),
    limits: DEFAULT_LIMITS,
    profile: DEFAULT_PROFILE,
    now: '2026-11-15T00:00:00.000Z',
    packLabel: 'pack',
  }
  const examined = await examineFiles(inMemory(nodeHost), input)
  let asked = 0
  const files = examined.files.map((file) => ({
    ...file,
    get from() {
      asked += 1
      return file.from
    },
  }))
  const report = intakeReport(input, { ...examined, files }) as {
    readonly supplied: readonly { readonly files: number }[]
  }
  assert.equal(asked, 50)
  assert.deepEqual(
    report.supplied.map((supplied) => supplied.files),
    [2, ...Array<number>(48).fill(1), 2],
  )
})
