import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { testService } from './test-service.ts'

/** Names that two systems would read differently: equal but for letter case, or not possible on Windows. */
function ambiguous(paths: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return paths.filter((path) => {
    const folded = path.toLowerCase()
    const isTwice = seen.has(folded)
    seen.add(folded)
    const name = basename(folded)
    const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(name)
    return isTwice || isReserved || /["*:<>?|\\]|[. ]$/.test(name)
  })
}

test('every file of the service has a name that is possible and unique in a case-insensitive folder', async () => {
  await using service = await testService()
  await service.issue({ tenant_id: 'acme', scope_label: 'first' })
  const names = readdirSync(service.dataFolder, { recursive: true }) as string[]
  assert.ok(names.length > 10)
  assert.deepEqual(ambiguous(names), [])
  for (const wrong of [['a/x', 'A/X'], ['nul.txt'], ['12:00'], ['a.']])
    assert.equal(ambiguous(wrong).length, 1, wrong.join())
})
