import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originLines } from './report-text.ts'

const acme = { workspace_id: 'ws_1', name: 'Acme' }

test('the supplier is shown as named by the issuer, and a kit without one shows none', () => {
  assert.deepEqual(originLines({ supplier: acme }), ['supplier Acme, named by the issuer'])
  assert.deepEqual(originLines({ supplier: null }), [])
})

test('the supplier of a kit of a request is shown as not verified, beside who asked', () => {
  assert.deepEqual(originLines({ supplier: null, requested_by: acme }), [
    'supplier Someone with the link of a request (not verified)',
    'asked by Acme, named by the issuer',
  ])
})
