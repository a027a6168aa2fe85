import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost, startPage } from '../node/internal.ts'
import { fromUtf8, START_PAGE_PATH, trustKeys, verifyKit } from '../src/internal.ts'
import { ISSUER, makeKit, openBytes } from './make-kit.ts'

const REDIRECT = 'verifier/index.html'

test('a kit with START-HERE.html also has the earlier path, which opens it; both are listed', async () => {
  const page = fromUtf8(startPage(ISSUER))!
  const { sealed, contents, jwks, zip } = await makeKit({}, {}, { [START_PAGE_PATH]: page })
  const listed = new Set(sealed.manifest.artifacts.map(({ path }) => path))
  assert.ok(listed.has(START_PAGE_PATH) && listed.has(REDIRECT))
  const redirect = fromUtf8(contents.get(REDIRECT)!)!
  assert.match(redirect, /<meta http-equiv="refresh" content="0; url=\.\.\/START-HERE\.html" \/>/)
  assert.match(redirect, /<a href="\.\.\/START-HERE\.html">/)
  assert.equal((await verifyKit(await openBytes(zip), trustKeys(jwks), nodeHost)).verdict, 'verified')
})

for (const [what, added] of [
  ['without any page', {}],
  ['with the page at its earlier path', { [REDIRECT]: '<!doctype html>' }],
] as const) {
  test(`a kit ${what} verifies`, async () => {
    const { contents, jwks, zip } = await makeKit({ 'a.txt': 'a' }, {}, added)
    assert.equal(contents.has(START_PAGE_PATH), false)
    assert.equal(contents.has(REDIRECT), REDIRECT in added)
    assert.equal((await verifyKit(await openBytes(zip), trustKeys(jwks), nodeHost)).verdict, 'verified')
  })
}
