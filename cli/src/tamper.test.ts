import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_TRUST, verifyKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { makeKit, openBytes, testSigner } from '../../kit/test/make-kit.ts'
import { ATTEMPTS, repackKit, unpackKit } from './tamper.ts'

const trust = { ...NO_TRUST, kids: [testSigner().kid] }
const target = { path: 'data/a.txt', change: (text: string) => text.toUpperCase() }

test('an unpacked and repacked kit still passes', async () => {
  const kit = await unpackKit(await openBytes((await makeKit({ 'a.txt': 'a\n' })).zip))
  assert.equal((await verifyKit(await repackKit(kit.files, kit), trust, nodeHost)).status, 'PASS')
})

for (const { title, caughtBy, tamper } of ATTEMPTS) {
  test(`caught: ${title}`, async () => {
    const kit = await unpackKit(await openBytes((await makeKit({ 'a.txt': 'a\n' })).zip))
    const forged = await repackKit(await tamper(kit, target), kit)
    const { status, errors } = await verifyKit(forged, trust, nodeHost)
    assert.equal(status, 'FAIL')
    assert.ok(
      errors.some((error) => error.startsWith(`${caughtBy}: `)),
      errors.join('\n'),
    )
  })
}

test('with only the keys in the kit, a kit re-signed by a forger is intact and its sender is not confirmed', async () => {
  const kit = await unpackKit(await openBytes((await makeKit({ 'a.txt': 'a\n' })).zip))
  const forged = await repackKit(await ATTEMPTS.at(-1)!.tamper(kit, target), kit)
  const own = await verifyKit(forged, { ...NO_TRUST, useKitKeys: true }, nodeHost)
  assert.equal(own.status, 'FAIL')
  assert.equal(own.verdict, 'sender_unconfirmed')
})
