import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { thumbprint } from '@kitseal/kit/internal'
import { KeyUnusable, type KeyProvider } from '../src/keys/signer.ts'

export interface ProviderUnderTest extends AsyncDisposable {
  readonly provider: KeyProvider
  /** Opens the same keys again, as after a restart. */
  again(): KeyProvider
}

/** Tests that every KeyProvider must pass. */
export function describeKeyProvider(name: string, open: () => Promise<ProviderUnderTest>): void {
  test(`${name}: a new key signs, and its public key verifies the signature`, async () => {
    await using keys = await open()
    const key = await keys.provider.create()
    const signer = await keys.provider.open(key)
    const message = Buffer.from('signed')
    const signature = await signer.sign(message)
    assert.equal(signature.length, 64)
    assert.equal(verify(null, message, publicKey(key.x), signature), true)
    assert.equal(verify(null, Buffer.from('not signed'), publicKey(key.x), signature), false)
  })

  test(`${name}: a key's kid is its RFC 7638 thumbprint`, async () => {
    await using keys = await open()
    const key = await keys.provider.create()
    assert.equal(key.kid, thumbprint(key.x))
    assert.equal((await keys.provider.open(key)).kid, key.kid)
  })

  test(`${name}: a key produces the same signature after a restart`, async () => {
    await using keys = await open()
    const key = await keys.provider.create()
    const before = await (await keys.provider.open(key)).sign(Buffer.from('m'))
    const again = keys.again()
    assert.deepEqual(Buffer.from(await (await again.open(key)).sign(Buffer.from('m'))), Buffer.from(before))
    await again.close()
  })

  test(`${name}: concurrent signatures are all valid`, async () => {
    await using keys = await open()
    const key = await keys.provider.create()
    const signer = await keys.provider.open(key)
    const messages = Array.from({ length: 20 }, (_, index) => Buffer.from(`message ${index}`))
    const signatures = await Promise.all(messages.map((message) => signer.sign(message)))
    for (const [index, message] of messages.entries()) {
      assert.equal(verify(null, message, publicKey(key.x), signatures[index] ?? Buffer.alloc(0)), true)
    }
  })

  test(`${name}: each new key is different`, async () => {
    await using keys = await open()
    const [a, b] = [await keys.provider.create(), await keys.provider.create()]
    assert.notEqual(a.kid, b.kid)
    assert.notEqual(a.reference, b.reference)
  })

  test(`${name}: a key is not opened with the public key of another`, async () => {
    await using keys = await open()
    const [a, b] = [await keys.provider.create(), await keys.provider.create()]
    await assert.rejects(keys.provider.open({ ...a, reference: b.reference }), KeyUnusable)
  })

  test(`${name}: a destroyed key cannot be opened, and destroying it again is not an error`, async () => {
    await using keys = await open()
    const key = await keys.provider.create()
    await keys.provider.destroy(key.reference)
    await assert.rejects(keys.provider.open(key), KeyUnusable)
    await keys.provider.destroy(key.reference)
  })

  test(`${name}: an invalid reference is rejected`, async () => {
    await using keys = await open()
    const key = await keys.provider.create()
    for (const reference of ['', '../../etc/passwd', `${key.reference}/..`]) {
      await assert.rejects(keys.provider.open({ ...key, reference }), KeyUnusable)
    }
  })
}

function publicKey(x: string) {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
