import assert from 'node:assert/strict'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { crc32 } from '../web-host.ts'
import { base64url, fromBase64url, fromHex, hex } from './bytes.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

test('base64url equals that of Node and decodes to the same bytes', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      assert.equal(base64url(value), Buffer.from(value).toString('base64url'))
      assert.deepEqual(fromBase64url(base64url(value)), value)
    }),
  )
})

test('base64url with padding, another alphabet or stray bits is rejected', () => {
  for (const text of ['AA==', 'A', 'AB', 'AAB', 'A+AA', 'A/AA', 'AA AA', 'AA\n'])
    assert.equal(fromBase64url(text), undefined)
})

test('hex is lower case only', () => {
  fc.assert(fc.property(bytes, (value) => assert.deepEqual(fromHex(hex(value)), value)))
  for (const text of ['A0', 'a', 'zz', '0x']) assert.equal(fromHex(text), undefined)
})

test('CRC-32 equals zlib, whole and in pieces', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      assert.equal(crc32(a), zlibCrc32(a))
      assert.equal(crc32(b, crc32(a)), zlibCrc32(Buffer.concat([a, b])))
    }),
  )
})
