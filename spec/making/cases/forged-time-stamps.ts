import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { der } from '../../../kit/src/time/der.ts'
import type { Case } from '../case.ts'
import { certify, intermediate, otherRoot, tsa } from '../time/certificates.ts'
import { integer, octets, sequence } from '../time/der-parts.ts'
import { digestOf, rsaSigner } from '../time/signers.ts'
import {
  attribute,
  imprintOf,
  makeTimeStamp,
  MESSAGE_DIGEST,
  type TimeStampPlan,
} from '../time/time-stamp.ts'
import { DATA, rejected, signed, stampCase } from './time-stamps.ts'

const OFF_CURVE = {
  ...tsa.signer,
  spki: tsa.signer.spki.with(tsa.signer.spki.length - 1, tsa.signer.spki.at(-1)! ^ 1),
}

/** Replaces bytes that occur once. The new ones have the same length. */
const swapped = (from: Uint8Array, to: Uint8Array): TimeStampPlan => ({
  bytes: (all) => {
    const copy = Buffer.from(all)
    copy.set(to, copy.indexOf(from))
    return copy
  },
})

const mismatch = (name: string, plan: TimeStampPlan): Case =>
  stampCase(`a-time-stamp-${name}-is-a-mismatch`, makeTimeStamp(utf8(DATA), plan), rejected('mismatch'))
const invalid = (name: string, plan: TimeStampPlan): Case =>
  stampCase(`a-time-stamp-${name}-is-invalid`, makeTimeStamp(utf8(DATA), plan), rejected('invalid'))

export const forgedTimeStamps: readonly Case[] = [
  mismatch('over-other-data', { imprint: imprintOf(utf8('other data')) }),
  mismatch('over-a-sha-512-of-other-data', { imprint: imprintOf(utf8('other data'), 'SHA-512') }),
  invalid('with-another-time', swapped(utf8('20260505120130Z'), utf8('20250505120130Z'))),
  invalid('with-a-changed-message-digest', {
    attributes: (parts) => parts.with(1, attribute(MESSAGE_DIGEST, octets(new Uint8Array(32)))),
  }),
  invalid('with-a-message-digest-over-the-octet-string', {
    attributes: (parts) =>
      parts.with(1, attribute(MESSAGE_DIGEST, octets(digestOf('SHA-256', octets(utf8(DATA)))))),
  }),
  invalid('whose-attributes-are-signed-as-they-stand', { signedTag: 0xa0 }),
  invalid('whose-attributes-are-signed-as-a-sequence', { signedTag: 0x30 }),
  invalid('with-a-changed-signature', {
    signature: (signature) => signature.with(signature.length - 1, signature.at(-1)! ^ 1),
  }),
  invalid('with-a-byte-behind-its-signature', {
    signature: (signature) => Buffer.concat([signature, Uint8Array.of(0)]),
  }),
  invalid('with-an-empty-signature', { signature: () => new Uint8Array(0) }),
  invalid('with-a-signature-of-zeros', { signature: () => sequence(integer(0n), integer(0n)) }),
  invalid('signed-with-another-key', { by: { ...tsa, signer: otherRoot.signer } }),
  invalid(
    'with-a-changed-rsa-signature',
    signed(rsaSigner({}), { signature: (one) => one.with(0, one[0]! ^ 1) }),
  ),
  invalid(
    'with-a-changed-rsa-pss-signature',
    signed(rsaSigner({ scheme: 'PSS' }), { signature: (one) => one.with(9, one[9]! ^ 1) }),
  ),
  invalid(
    'with-an-rsa-signature-that-is-too-short',
    signed(rsaSigner({}), { signature: (one) => one.subarray(1) }),
  ),
  invalid(
    'by-rsa-in-the-form-of-rsa-pss',
    signed({ ...rsaSigner({ scheme: 'PSS' }), sign: rsaSigner({}).sign }, {}),
  ),
  invalid(
    'by-a-key-for-rsa-pss-with-other-parameters',
    signed(rsaSigner({ scheme: 'PSS', pssKey: 'SHA-384' })),
  ),
  invalid('by-a-key-for-rsa-pss-alone-without-it', {
    by: {
      ...certify('Other authority', intermediate, {
        signer: rsaSigner({ scheme: 'PSS', pssKey: true }),
        serial: 4n,
      }),
      signer: rsaSigner({}),
    },
  }),
  invalid('of-an-authority-whose-key-is-not-on-the-curve', {
    by: certify('Other authority', intermediate, { signer: OFF_CURVE, serial: 4n }),
  }),
  invalid('that-names-another-authority', { optional: [der(0xa0, der(0xa4, otherRoot.name))] }),
]
