import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kitCatalog } from './kit-queries.ts'
import { catalogOf, kitsUnderTest } from '../../test/test-kits.ts'

test('the kit cache is limited by entries and keeps the most recent kits', async () => {
  await using place = await kitsUnderTest()
  const [a, b] = [(await place.issue()).kit.kit_id, (await place.issue()).kit.kit_id]
  const roomy = catalogOf(place)
  const [firstA] = [await roomy.find(a), await roomy.find(b)]
  assert.equal(await roomy.find(a), firstA, 'both are kept')
  const narrow = kitCatalog(place.db, async () => '', 1)
  const onlyA = await narrow.find(a)
  assert.equal(await narrow.find(a), onlyA, 'the newest is kept')
  await narrow.find(b)
  assert.notEqual(await narrow.find(a), onlyA, 'the one before it is not')
  assert.deepEqual(await narrow.find(a), onlyA)
})
