// `KITSEAL_MUTATIONS=100000` changes the number of mutations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf8 } from '../kit/src/encoding/bytes.ts'
import * as kit from '../kit/src/internal.ts'
import { readVectorFile, vectors } from './stored-vectors.ts'
import { mutationsOf } from './time-stamp-mutations.ts'
import {
  DATA as data,
  Openssl,
  ours,
  pkijsAccepts,
  skipWithoutOpenssl,
  type StampPlan,
} from './time-stamp-peers.ts'

const BASES = [
  'by-ecdsa-with-p-384',
  'by-rsa-with-sha-256',
  'with-the-name-of-its-authority',
  'with-three-ca-certificates',
]
const COUNT = Number(process.env['KITSEAL_MUTATIONS'] ?? 4000)

test(
  'many mutated time-stamps: what we accept, OpenSSL and PKI.js accept',
  { skip: skipWithoutOpenssl },
  async () => {
    using openssl = new Openssl(data)
    let accepted = 0
    for (const base of BASES) {
      const vector = vectors.find(({ name }) => name === `a-time-stamp-${base}-is-accepted`)
      assert.ok(vector)
      for (const mutated of mutationsOf(await readVectorFile(vector.file), COUNT / BASES.length, base)) {
        const status = await ours(mutated, data)
        if (status?.is !== 'trusted') continue
        accepted++
        const text = `${base}: ${Buffer.from(mutated).toString('hex')}`
        assert.ok(openssl.accepts(mutated), `openssl rejects ${text}`)
        assert.ok(await pkijsAccepts(mutated, data), `pkijs rejects ${text}`)
      }
    }
    assert.ok(accepted > 0)
  },
)

const curve = (name: string): string => `ec -pkeyopt ec_paramgen_curve:${name}`

/** Time-stamps that `openssl ts` makes. Both accept or reject them, unless OpenSSL alone accepts them. */
const MADE_BY_OPENSSL: readonly (readonly [
  what: string,
  plan: StampPlan,
  accepted: 'both' | 'openssl' | 'none',
])[] = [
  ['P-256', {}, 'both'],
  ['P-384', { key: curve('secp384r1'), digest: 'sha384' }, 'both'],
  ['P-521', { key: curve('secp521r1'), digest: 'sha512' }, 'both'],
  ['RSA, and a hash by SHA-512', { key: 'rsa:3072', digest: 'sha512', imprint: 'sha512' }, 'both'],
  ['a hash by SHA-384', { imprint: 'sha384' }, 'both'],
  ['a certificate named by SHA-1', { certificateId: 'sha1' }, 'both'],
  ['a certificate named by SHA-512', { certificateId: 'sha512' }, 'both'],
  ['a digest by SHA-1', { digest: 'sha1' }, 'openssl'],
  ['a hash by SHA-1', { imprint: 'sha1' }, 'openssl'],
  ['a hash by MD5', { imprint: 'md5' }, 'openssl'],
  ['a CA signed by SHA-1', { caDigest: 'sha1' }, 'openssl'],
  ['a curve that browsers do not have', { key: curve('brainpoolP256r1') }, 'openssl'],
  ['RSA with 1,024 bits', { key: 'rsa:1024' }, 'openssl'],
  ['a purpose that OpenSSL does not know', { tsa: 'other_purpose' }, 'openssl'],
  ['a CA with constraints', { ca: 'constrained_ca' }, 'openssl'],
  ['a CA without basic constraints', { ca: 'unmarked_ca' }, 'none'],
  ['a CA that is none', { ca: 'no_ca' }, 'none'],
]

for (const [what, plan, accepted] of MADE_BY_OPENSSL)
  test(
    `a time-stamp of openssl ts with ${what}: accepted by ${accepted}`,
    { skip: skipWithoutOpenssl },
    async () => {
      using openssl = new Openssl(data)
      const { response, root } = openssl.stamp(plan)
      assert.equal(openssl.acceptsOwn(), accepted !== 'none')
      assert.equal(
        (await ours(response, data, kit.parseCertificates(utf8(root))))?.is === 'trusted',
        accepted === 'both',
      )
      // What it is over matters: other data is never accepted.
      assert.notEqual((await ours(response, utf8('other'), kit.parseCertificates(utf8(root))))?.is, 'trusted')
    },
  )
