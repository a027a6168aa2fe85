import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_TRUST, verifyKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { makeKit, openBytes, testSigner } from '../../kit/test/make-kit.ts'
import { ATTEMPTS, packAgain, takeApart } from './tamper.ts'

const trust = { ...NO_TRUST, kids: [testSigner().kid] }
const target = { path: 'data/a.txt', change: (text: string) => text.toUpperCase() }

test('a kit that was taken apart and packed again passes: only what is done to it can fail', async () => {
  const kit = await takeApart(await openBytes((await makeKit({ 'a.txt': 'a\n' })).zip))
  assert.equal((await verifyKit(await packAgain(kit.files, kit), trust, nodeHost)).status, 'PASS')
})

for (const { title, caughtBy, tamper } of ATTEMPTS) {
  test(`caught: ${title}`, async () => {
    const kit = await takeApart(await openBytes((await makeKit({ 'a.txt': 'a\n' })).zip))
    const forged = await packAgain(await tamper(kit, target), kit)
    const { status, errors } = await verifyKit(forged, trust, nodeHost)
    assert.equal(status, 'FAIL')
    assert.ok(
      errors.some((error) => error.startsWith(`${caughtBy}: `)),
      errors.join('\n'),
    )
  })
}

test('without the issuer pinned, a forger who signs everything again can not be told: that is what pinning is for', async () => {
  const kit = await takeApart(await openBytes((await makeKit({ 'a.txt': 'a\n' })).zip))
  const forged = await packAgain(await ATTEMPTS.at(-1)!.tamper(kit, target), kit)
  const own = await verifyKit(forged, { ...NO_TRUST, useKitKeys: true }, nodeHost)
  assert.equal(own.status, 'PASS')
})
