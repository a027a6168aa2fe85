import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { ISSUER, keySetOf, makeKit, openBytes, testSigner } from '../test/make-kit.ts'
import {
  NO_TRUST,
  type Pin,
  sameOrigin,
  type Trust,
  type TrustedKeySet,
  verdictAdvice,
  verifyKit,
} from './internal.ts'

const signer = testSigner()
const { zip } = await makeKit()
const verify = async (trust: Partial<Trust>) =>
  verifyKit(await openBytes(zip), { ...NO_TRUST, ...trust }, nodeHost)
const keysFrom = (source: TrustedKeySet['source'], more: Partial<TrustedKeySet> = {}): Partial<Trust> => ({
  keySets: [{ ...keySetOf(signer), refused: [], revoked: [], source, ...more }],
})
const pin: Pin = { kid: signer.kid, issuer: ISSUER, createdAt: '2026-02-03T04:05:06.789Z' }
const address = `${ISSUER}/.well-known/jwks.json`

const SENTENCES: readonly (readonly [string, Partial<Trust>, string])[] = [
  ['a key set from a file', keysFrom('file'), 'the key you gave'],
  ['a key set that the reader confirmed', keysFrom('confirmed'), 'the key you gave'],
  ['a key ID', { kids: [signer.kid] }, 'the key you gave'],
  ['a pin', { pins: [pin] }, 'the key you pinned on 2026-02-03'],
  [
    'an address, for the first time',
    keysFrom('url', { address }),
    'the key that issuer.example publishes today; not compared before',
  ],
  [
    'an address, after the reader pinned its keys',
    keysFrom('url', { address, pinned: [pin] }),
    'the key that issuer.example publishes today; you confirmed it on 2026-02-03',
  ],
  [
    'an address that was used before',
    keysFrom('url', { address, pinned: [{ ...pin, isFirstUse: true }] }),
    'the key that issuer.example publishes today; the same as at your first use on 2026-02-03',
  ],
  [
    'the service that was asked for the kit',
    keysFrom('service', { address: ISSUER }),
    'the key that issuer.example publishes today; not compared before',
  ],
  [
    "the page's own site",
    keysFrom('site', { address: ISSUER }),
    'the key that this site, issuer.example, publishes',
  ],
]

for (const [what, trust, key] of SENTENCES)
  test(`a kit verified with ${what} is said to be signed with ${key}`, async () => {
    const report = await verify(trust)
    assert.equal(report.verdict, 'verified')
    assert.equal(verdictAdvice(report), `The files are unchanged, and the receipt is signed with ${key}.`)
    assert.doesNotMatch(JSON.stringify(report), /you trust/)
  })

test('the keys of a site that is not the issuer do not confirm the sender', async () => {
  for (const source of ['site', 'service'] as const)
    for (const issuer of [undefined, ISSUER]) {
      const report = await verify(keysFrom(source, { address: 'https://evil.example', issuer }))
      assert.equal(report.verdict, 'sender_unconfirmed')
      assert.equal(report.signer.trust, 'none')
      assert.equal(report.signer.key_from, undefined)
      assert.match(report.errors.join(), /https:\/\/evil\.example is not the issuer that the receipt names/)
    }
})

test('beside the keys of another site, keys that the reader gave count', async () => {
  const other = keysFrom('site', { address: 'https://evil.example' }).keySets ?? []
  const given = keysFrom('confirmed').keySets ?? []
  const report = await verify({ keySets: [...other, ...given] })
  assert.equal(report.verdict, 'verified')
  assert.deepEqual(report.signer.key_from, { source: 'given' })
})

test('a key that any site says is revoked is revoked', async () => {
  const revoked = [{ kid: signer.kid, revoked_at: '2026-05-05T12:00:00.000Z' }]
  const report = await verify(keysFrom('site', { address: 'https://evil.example', keys: [], revoked }))
  assert.equal(report.verdict, 'key_revoked')
})

test('origins are equal by scheme, host and port, and the loopback names with one port are one origin', () => {
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ['https://issuer.example', 'https://ISSUER.example:443/kits', true],
    ['http://localhost:8080', 'http://127.0.0.1:8080', true],
    ['http://[::1]:8080', 'http://127.0.0.1:8080', true],
    ['http://localhost:8080', 'http://localhost:8081', false],
    ['http://localhost:8080', 'https://localhost:8080', false],
    ['https://issuer.example', 'http://issuer.example', false],
    ['https://issuer.example', 'https://issuer.example.evil.example', false],
    ['https://issuer.example', 'https://issuer.example@evil.example', false],
    ['http://127.0.0.1.evil.example', 'http://127.0.0.1', false],
    ['null', 'null', false],
    ['file:///kit', 'file:///kit', false],
    ['Acme', 'Acme', false],
  ]
  for (const [one, other, same] of pairs) assert.equal(sameOrigin(one, other), same, `${one} ${other}`)
})
