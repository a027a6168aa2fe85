import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { thumbprint } from '@kitseal/kit'
import { KeyUnusable, type KeyProvider } from './signer.ts'

export interface ProviderUnderTest extends AsyncDisposable {
  readonly provider: KeyProvider
  /** A second provider over the same place, as after a restart. */
  again(): KeyProvider
}

/** What every KeyProvider keeps. */
export function describeKeyProvider(name: string, open: () => Promise<ProviderUnderTest>): void {
  test(`${name}: a new key signs, and its public key verifies the signature`, async () => {
    await using place = await open()
    const key = await place.provider.create()
    const signer = await place.provider.open(key)
    const message = Buffer.from('what is sealed')
    const signature = await signer.sign(message)
    assert.equal(signature.length, 64)
    assert.equal(verify(null, message, publicKey(key.x), signature), true)
    assert.equal(verify(null, Buffer.from('what is not'), publicKey(key.x), signature), false)
  })

  test(`${name}: a key's kid is its RFC 7638 thumbprint`, async () => {
    await using place = await open()
    const key = await place.provider.create()
    assert.equal(key.kid, thumbprint(key.x))
    assert.equal((await place.provider.open(key)).kid, key.kid)
  })

  test(`${name}: a key signs the same after a restart`, async () => {
    await using place = await open()
    const key = await place.provider.create()
    const before = await (await place.provider.open(key)).sign(Buffer.from('m'))
    const again = place.again()
    assert.deepEqual(Buffer.from(await (await again.open(key)).sign(Buffer.from('m'))), Buffer.from(before))
    await again.close()
  })

  test(`${name}: many signatures at once are each right`, async () => {
    await using place = await open()
    const key = await place.provider.create()
    const signer = await place.provider.open(key)
    const messages = Array.from({ length: 20 }, (_, index) => Buffer.from(`message ${index}`))
    const signatures = await Promise.all(messages.map((message) => signer.sign(message)))
    for (const [index, message] of messages.entries()) {
      assert.equal(verify(null, message, publicKey(key.x), signatures[index] ?? Buffer.alloc(0)), true)
    }
  })

  test(`${name}: no two keys are the same`, async () => {
    await using place = await open()
    const [a, b] = [await place.provider.create(), await place.provider.create()]
    assert.notEqual(a.kid, b.kid)
    assert.notEqual(a.reference, b.reference)
  })

  test(`${name}: a key is not opened under the public key of another`, async () => {
    await using place = await open()
    const [a, b] = [await place.provider.create(), await place.provider.create()]
    await assert.rejects(place.provider.open({ ...a, reference: b.reference }), KeyUnusable)
  })

  test(`${name}: a destroyed key can't be opened, and destroying it again is no error`, async () => {
    await using place = await open()
    const key = await place.provider.create()
    await place.provider.destroy(key.reference)
    await assert.rejects(place.provider.open(key), KeyUnusable)
    await place.provider.destroy(key.reference)
  })

  test(`${name}: a reference that is not one of its own is refused`, async () => {
    await using place = await open()
    const key = await place.provider.create()
    for (const reference of ['', '../../etc/passwd', `${key.reference}/..`]) {
      await assert.rejects(place.provider.open({ ...key, reference }), KeyUnusable)
    }
  })
}

function publicKey(x: string) {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
