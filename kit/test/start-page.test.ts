import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost, startPage } from '../node/internal.ts'
import { fromUtf8, START_PAGE_PATH, trustKeys, verifyKit } from '../src/internal.ts'
import { ISSUER, makeKit, openBytes } from './make-kit.ts'

/** Where kits had the page, or a redirect to it, before START-HERE.html. */
const EARLIER_PATH = 'verifier/index.html'

test('a kit has START-HERE.html at this path alone, and lists it', async () => {
  const page = fromUtf8(startPage(ISSUER))!
  const { sealed, jwks, zip } = await makeKit({}, {}, { [START_PAGE_PATH]: page })
  const listed = new Set(sealed.manifest.artifacts.map(({ path }) => path))
  assert.ok(listed.has(START_PAGE_PATH) && !listed.has(EARLIER_PATH))
  assert.equal((await verifyKit(await openBytes(zip), trustKeys(jwks), nodeHost)).verdict, 'verified')
})

for (const [what, added] of [
  ['without any page', {}],
  ['with the page at its earlier path', { [EARLIER_PATH]: '<!doctype html>' }],
] as const) {
  test(`a kit ${what} verifies`, async () => {
    const { contents, jwks, zip } = await makeKit({ 'a.txt': 'a' }, {}, added)
    assert.equal(contents.has(START_PAGE_PATH), false)
    assert.equal(contents.has(EARLIER_PATH), EARLIER_PATH in added)
    assert.equal((await verifyKit(await openBytes(zip), trustKeys(jwks), nodeHost)).verdict, 'verified')
  })
}
