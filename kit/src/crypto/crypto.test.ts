import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nodeHost } from '../../node/internal.ts'
import { testSigner } from '../../test/make-kit.ts'
import { fromBase64url, fromHex, hex, utf8 } from '../encoding/bytes.ts'
import { webHost } from '../web-host.ts'
import { pointProblem, verifySignature } from './ed25519.ts'
import { PureSha256, sha256 } from './sha256.ts'

test("PureSha256 equals Node's SHA-256, for any chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (pieces) => {
      const own = new PureSha256()
      const node = createHash('sha256')
      for (const piece of pieces) {
        own.update(piece)
        node.update(piece)
      }
      assert.equal(hex(own.digest()), node.digest('hex'))
    }),
  )
  for (const length of [55, 56, 63, 64, 65, 119, 120, 128]) {
    const bytes = new Uint8Array(length).fill(7)
    assert.equal(hex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'))
  }
})

const IDENTITY = '01' + '00'.repeat(31)
const lowOrder = [
  IDENTITY,
  '00'.repeat(32),
  '00'.repeat(31) + '80',
  '01' + '00'.repeat(30) + '80',
  'ec' + 'ff'.repeat(30) + '7f',
  'ec' + 'ff'.repeat(31),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]
const nonCanonical = [
  'ed' + 'ff'.repeat(30) + '7f',
  'ee' + 'ff'.repeat(30) + '7f',
  'ff'.repeat(32),
  'f0' + 'ff'.repeat(31),
]

test('low-order and non-canonical points are rejected, with either sign', () => {
  for (const point of lowOrder) assert.equal(pointProblem(fromHex(point)!), 'low-order', point)
  for (const point of nonCanonical) assert.equal(pointProblem(fromHex(point)!), 'non-canonical', point)
})

test('checking a point does not change the Buffer it is in', () => {
  const point = Buffer.alloc(32, 0xff)
  pointProblem(point)
  assert.deepEqual(point, Buffer.alloc(32, 0xff))
})

test('a signature under the identity key, which fits every message, is rejected', async () => {
  const forgery = fromHex(IDENTITY + '00'.repeat(32))!
  for (const host of [nodeHost, webHost]) {
    for (const message of ['a', 'b']) {
      const verdict = await verifySignature(fromHex(IDENTITY)!, utf8(message), forgery, host)
      assert.equal(verdict.valid, false)
    }
  }
})

test('a signature verifies only its own message, in Node and in WebCrypto', async () => {
  const signer = testSigner()
  const key = fromBase64url(signer.x)!
  const message = utf8('message')
  const signature = await signer.sign(message)
  for (const host of [nodeHost, webHost]) {
    assert.deepEqual(await verifySignature(key, message, signature, host), { valid: true })
    assert.equal((await verifySignature(key, utf8('messagf'), signature, host)).valid, false)
    assert.equal((await verifySignature(key, message, signature.subarray(1), host)).valid, false)
  }
})

test('a signature whose S was increased by the group order is rejected', async () => {
  const signer = testSigner()
  const message = utf8('message')
  const signature = Uint8Array.from(await signer.sign(message))
  const order = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010')!
  let carry = 0
  for (let at = 0; at < 32; at++) {
    const sum = signature[32 + at]! + order[at]! + carry
    signature[32 + at] = sum & 255
    carry = sum >> 8
  }
  const verdict = await verifySignature(fromBase64url(signer.x)!, message, signature, nodeHost)
  assert.deepEqual(verdict, { valid: false, why: "the signature's S is not below the group order" })
})
