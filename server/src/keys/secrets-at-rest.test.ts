import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretsAtRest } from './secrets-at-rest.ts'

test('an encrypted text opens with its passphrase, in its row, and not if it was changed', () => {
  const secrets = secretsAtRest('correct horse')
  const sealed = secrets.seal('whsec_ä', 'webhooks a')
  assert.match(sealed, /^sealed1\.[\w-]+$/)
  assert.notEqual(secrets.seal('whsec_ä', 'webhooks a'), sealed, 'each has a nonce of its own')
  assert.equal(secrets.open(sealed, 'webhooks a'), 'whsec_ä')
  assert.equal(secrets.open(sealed, 'webhooks b'), undefined)
  assert.equal(secretsAtRest('other').open(sealed, 'webhooks a'), undefined)
  assert.equal(secretsAtRest(undefined).open(sealed, 'webhooks a'), undefined)
  const at = sealed.length - 10
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
  for (const wrong of [changed, sealed.slice(0, 20), 'sealed1.'])
    assert.equal(secrets.open(wrong, 'webhooks a'), undefined, wrong)
})

test('a text from before there was a passphrase is read as it is, and without one nothing is encrypted', () => {
  assert.equal(secretsAtRest('correct horse').open('whsec_x', 'webhooks a'), 'whsec_x')
  assert.equal(secretsAtRest(undefined).seal('whsec_x', 'webhooks a'), 'whsec_x')
})

test('the previous passphrase opens what it encrypted, and encrypts nothing', () => {
  const before = secretsAtRest('old').seal('whsec_x', 'webhooks a')
  const both = secretsAtRest('new', 'old')
  assert.equal(both.open(before, 'webhooks a'), 'whsec_x')
  assert.equal(both.open(before, 'webhooks b'), undefined)
  const after = both.seal('whsec_x', 'webhooks a')
  assert.equal(secretsAtRest('new').open(after, 'webhooks a'), 'whsec_x')
  assert.equal(secretsAtRest('old').open(after, 'webhooks a'), undefined)
  assert.equal(secretsAtRest(undefined, 'old').seal('whsec_x', 'webhooks a'), 'whsec_x')
})
