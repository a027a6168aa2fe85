import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hex, utf8 } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { nonceHex, timeStampRequest } from './time-stamp-request.ts'

test('a request asks for a SHA-256, with a nonce and the certificate', () => {
  const hash = nodeHost.digest(utf8('checkpoint'))
  const nonce = new Uint8Array([0, 0x80, 7])
  assert.equal(
    hex(timeStampRequest(hash, nonce)),
    `303e020101303130${'0d06096086480165030402010500'}0420${hex(hash)}0203008007${'0101ff'}`,
  )
})

test('a nonce is a positive integer in its shortest form', () => {
  assert.equal(nonceHex(new Uint8Array([0, 0, 1])), '01')
  assert.equal(nonceHex(new Uint8Array([0x80])), '0080')
  assert.equal(nonceHex(new Uint8Array(16)), '00')
})
