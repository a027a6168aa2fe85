import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originLines } from './report-text.ts'

const ISSUER = 'https://issuer.example'
const acme = { workspace_id: 'ws_1', name: 'Acme' }

test('before verification the supplier is named in the kit, then it says who confirmed the name', () => {
  const confirmed = { ...acme, confirmed_by: 'operator' } as const
  const lines = (supplier: typeof acme, isVerified: boolean) => originLines({ supplier }, ISSUER, isVerified)
  assert.deepEqual(lines(confirmed, false), ['supplier Acme, named in the kit'])
  assert.deepEqual(lines(confirmed, true), ["supplier Acme, confirmed by issuer.example's operator"])
  assert.deepEqual(lines(acme, true), ['supplier Acme, as the workspace calls itself'])
  assert.deepEqual(originLines({ supplier: null }, ISSUER, true), [])
  assert.deepEqual(originLines({ supplier: null, anonymous: true }, ISSUER, true), [
    "caller   Anonymous caller. The name is the caller's own text. No files were supplied.",
  ])
})

test('the supplier of a kit of a request is shown as not verified, beside who asked', () => {
  assert.deepEqual(originLines({ supplier: null, requested_by: acme }, ISSUER, false), [
    'supplier Someone with the link of a request (not verified)',
    'asked by Acme, named in the kit',
  ])
})
