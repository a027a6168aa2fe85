import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeyHash, makeApiKey, readApiKey } from './authenticate-key.ts'

test('a key contains its ID and 256 random bits, in letters, digits and underscores', () => {
  const key = makeApiKey()
  assert.match(key.text, /^ks_key_[0-9A-Za-z]{22}_[0-9A-Za-z]{49}$/)
  assert.ok(key.text.startsWith(`ks_${key.keyId}_`))
  assert.equal(readApiKey(key.text), key.keyId)
  assert.equal(key.sha256, apiKeyHash(key.text))
  assert.notEqual(makeApiKey().text, key.text)
})

test('a key uses all random bits', () => {
  const texts = new Set<string>()
  for (let bit = 0; bit < 256; bit += 1) {
    const secret = new Uint8Array(32)
    secret[bit >> 3] = 1 << (bit & 7)
    texts.add(makeApiKey((size) => (size === 32 ? secret : new Uint8Array(size))).text)
  }
  texts.add(makeApiKey((size) => new Uint8Array(size).fill(255)).text)
  assert.equal(texts.size, 257)
})

test('a typo in a key is detected without a query', () => {
  const { text } = makeApiKey()
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === 'a' ? 'b' : 'a'
    assert.equal(readApiKey(text.slice(0, at) + other + text.slice(at + 1)), undefined, `at ${at}`)
  }
  for (const wrong of ['', 'ks_', text.slice(1), `${text}0`, ` ${text}`, `${text}\n`, text.toLowerCase()])
    assert.equal(readApiKey(wrong), undefined, JSON.stringify(wrong))
})
