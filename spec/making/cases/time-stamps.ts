import { createHash } from 'node:crypto'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { der, TAG } from '../../../kit/src/time/der.ts'
import type { Case } from '../case.ts'
import { certify, intermediate, otherRoot, revocationList, tsa } from '../time/certificates.ts'
import {
  boolean,
  integer,
  name as distinguishedName,
  nothing,
  octets,
  oid,
  sequence,
  set,
  setOf,
  utcTime,
} from '../time/der-parts.ts'
import { rootsFile, type RootsName } from '../time/roots.ts'
import { digestOf, ecdsaSigner, HASH_OID, rsaSigner } from '../time/signers.ts'
import {
  attribute,
  certificateId,
  imprintOf,
  makeTimeStamp,
  MESSAGE_DIGEST,
  SIGNING_CERTIFICATE,
  type TimeStampPlan,
} from '../time/time-stamp.ts'

export const DATA = 'issuer.example/log\n11\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'
type TimeStampCode = 'malformed' | 'mismatch' | 'invalid' | 'untrusted'

/** A response with a time-stamp over DATA, read with roots. */
export function stampCase(
  name: string,
  content: Uint8Array,
  expected: Extract<Case, { readonly kind: 'time-stamp' }>['expected'],
  roots: RootsName = 'root',
): Case {
  return { name, kind: 'time-stamp', data: DATA, roots: rootsFile(roots), expected, content }
}

export const rejected = (code: TimeStampCode): { readonly code: `time_stamp_${TimeStampCode}` } => ({
  code: `time_stamp_${code}`,
})

const accepted = (
  name: string,
  plan: TimeStampPlan,
  { authority = 'Time authority', before = '2026-05-05T12:01:31.000Z', roots = 'root' as RootsName } = {},
): Case =>
  stampCase(
    `a-time-stamp-${name}-is-accepted`,
    makeTimeStamp(utf8(DATA), plan),
    { code: null, authority, existed_before: before },
    roots,
  )

const malformed = (name: string, plan: TimeStampPlan): Case =>
  stampCase(`a-time-stamp-${name}-is-malformed`, makeTimeStamp(utf8(DATA), plan), rejected('malformed'))

export const signed = (
  signer: Parameters<typeof certify>[2]['signer'],
  more: TimeStampPlan = {},
): TimeStampPlan => ({
  by: certify('Other authority', intermediate, { signer: signer!, serial: 4n }),
  ...more,
})
const OTHER = { authority: 'Other authority' }
const P384 = ecdsaSigner('Other authority', 'P-384', 'SHA-384')
const P521 = ecdsaSigner('Other authority', 'P-521', 'SHA-512')
const accuracy = (...parts: readonly Uint8Array[]): TimeStampPlan => ({ optional: [sequence(...parts)] })
const replaced = (at: number, part: Uint8Array) => (parts: Uint8Array[]) => parts.with(at, part)
const without = (at: number) => (parts: Uint8Array[]) => parts.toSpliced(at, 1)
const tstExtension = (critical: boolean): Uint8Array =>
  der(0xa1, sequence(oid('1.3.6.1.4.1.99999.2'), ...(critical ? [boolean(true)] : []), octets(nothing())))
const DIRECTORY_NAME = der(0xa0, der(0xa4, tsa.name))
const SIGNING_TIME = attribute('1.2.840.113549.1.9.5', utcTime('260505120130Z'))
const sha1 = (certificate: Uint8Array): Uint8Array => octets(createHash('sha1').update(certificate).digest())
export const essV1 = (certificate: Uint8Array): Uint8Array =>
  attribute('1.2.840.113549.1.9.16.2.12', sequence(sequence(sequence(sha1(certificate)))))
const ESS_V1 = essV1(tsa.certificate)
const SHA1 = sequence(oid('1.3.14.3.2.26'), nothing())
const REVOCATION_LIST = revocationList(intermediate)
const signingCertificate = (...ids: readonly Uint8Array[]): Uint8Array =>
  attribute(SIGNING_CERTIFICATE, sequence(sequence(...ids)))
const certificateHash = (hash: 'SHA-256' | 'SHA-384'): Uint8Array =>
  sequence(sequence(oid(HASH_OID[hash])), octets(digestOf(hash, tsa.certificate)))

export const goodTimeStamps: readonly Case[] = [
  accepted('by-ecdsa-with-p-256', {}),
  accepted('by-ecdsa-with-p-384', signed(P384, { digest: 'SHA-384' }), OTHER),
  accepted('by-ecdsa-with-p-521', signed(P521, { digest: 'SHA-512' }), OTHER),
  accepted('by-rsa-with-sha-256', signed(rsaSigner({})), OTHER),
  accepted('by-rsa-with-sha-512', signed(rsaSigner({ hash: 'SHA-512' }), { digest: 'SHA-512' }), OTHER),
  accepted('by-rsa-whose-algorithm-names-no-hash', signed(rsaSigner({ bare: true })), OTHER),
  accepted('by-rsa-pss', signed(rsaSigner({ scheme: 'PSS' })), OTHER),
  accepted('by-a-key-for-rsa-pss-alone', signed(rsaSigner({ scheme: 'PSS', pssKey: true })), OTHER),
  accepted(
    'by-a-key-for-rsa-pss-with-these-parameters',
    signed(rsaSigner({ scheme: 'PSS', pssKey: 'SHA-256' })),
    OTHER,
  ),
  accepted('over-a-sha-512', { imprint: imprintOf(utf8(DATA), 'SHA-512') }),
  accepted('with-signed-data-of-another-version', { signedData: replaced(0, integer(1n)) }),
  accepted('with-a-signer-of-another-version', { signerInfo: replaced(0, integer(3n)) }),
  accepted('that-lists-further-digest-algorithms', {
    signedData: replaced(1, setOf(SHA1, sequence(oid(HASH_OID['SHA-256']), nothing()))),
  }),
  accepted('granted-with-modifications', { status: [integer(1n)] }),
  accepted('with-a-status-text', { status: [integer(0n), sequence(der(TAG.utf8String, utf8('fine')))] }),
  accepted(
    'with-a-fraction-of-a-second',
    { time: '20260505120130.0625Z', optional: [] },
    { before: '2026-05-05T12:01:30.063Z' },
  ),
  accepted(
    'whose-time-ends-in-a-zero-fraction',
    { time: '20260505120130.50Z', optional: [] },
    { before: '2026-05-05T12:01:30.500Z' },
  ),
  accepted('with-an-accuracy-of-0-milliseconds', accuracy(der(0x80, Uint8Array.of(0))), {
    before: '2026-05-05T12:01:30.000Z',
  }),
  accepted('without-an-accuracy', { optional: [] }, { before: '2026-05-05T12:01:30.000Z' }),
  accepted(
    'with-an-accuracy-in-all-units',
    accuracy(integer(2n), der(0x80, Uint8Array.of(1, 0xf4)), der(0x81, Uint8Array.of(7))),
    { before: '2026-05-05T12:01:32.501Z' },
  ),
  accepted('with-an-accuracy-in-milliseconds', accuracy(der(0x80, Uint8Array.of(1))), {
    before: '2026-05-05T12:01:30.001Z',
  }),
  accepted('with-ordering', { optional: [boolean(true)] }, { before: '2026-05-05T12:01:30.000Z' }),
  accepted(
    'with-a-default-that-is-written',
    { optional: [boolean(false)] },
    { before: '2026-05-05T12:01:30.000Z' },
  ),
  accepted(
    'with-the-name-of-its-authority',
    { optional: [DIRECTORY_NAME] },
    { before: '2026-05-05T12:01:30.000Z' },
  ),
  accepted('with-an-extension', { optional: [tstExtension(false)] }, { before: '2026-05-05T12:01:30.000Z' }),
  accepted('with-further-signed-attributes', { attributes: (parts) => [...parts, SIGNING_TIME] }),
  accepted('with-unsigned-attributes', {
    signerInfo: (parts) => [...parts, der(0xa1, attribute('1.3.6.1.4.1.99999.3', nothing()))],
  }),
  accepted('with-a-revocation-list', {
    signedData: (parts) => parts.toSpliced(4, 0, der(0xa1, REVOCATION_LIST)),
  }),
  accepted('with-an-algorithm-without-parameters', {
    signerInfo: replaced(2, sequence(oid(HASH_OID['SHA-256']))),
  }),
  accepted('that-names-its-certificate-by-sha-256-in-words', { certificateId: certificateHash('SHA-256') }),
  accepted('that-names-its-certificate-by-sha-384', { certificateId: certificateHash('SHA-384') }),
  accepted('that-names-its-certificate-by-sha-1-too', { attributes: (parts) => [...parts, ESS_V1] }),
  accepted('that-names-its-certificate-by-sha-1-alone', { attributes: (parts) => parts.with(2, ESS_V1) }),
  accepted('that-names-its-certificate-by-sha-1-in-words', {
    certificateId: sequence(SHA1, sha1(tsa.certificate)),
  }),
  accepted('that-names-its-certificate-with-strings-of-another-type', {
    certificateId: certificateId({ ...tsa, issuer: distinguishedName('  TIME  ca ', 0x13) }),
  }),
  accepted('that-names-its-whole-chain', {
    attributes: (parts) => parts.with(2, signingCertificate(certificateId(tsa), certificateId(intermediate))),
  }),
  accepted('without-certificates-whose-chain-the-reader-has', { signedData: without(3) }, { roots: 'chain' }),
  accepted(
    'whose-intermediate-certificate-is-a-root-of-the-reader',
    { certificates: [tsa.certificate] },
    { roots: 'intermediate' },
  ),
  accepted('that-leads-to-one-of-several-roots', {}, { roots: 'both' }),
  accepted('that-leads-to-one-of-150-roots', {}, { roots: 'many' }),
  accepted('that-leads-to-a-root-signed-by-sha-1', {}, { roots: 'sha1' }),
  accepted('that-leads-to-a-root-of-version-1', {}, { roots: 'version1' }),
  accepted('of-an-authority-that-is-itself-the-root', {}, { roots: 'authority' }),
  accepted('with-certificates-that-cannot-be-read', {
    certificates: [sequence(nothing()), der(0xa1, nothing()), tsa.certificate, intermediate.certificate],
  }),
  accepted('with-certificates-that-do-not-belong-to-it', {
    certificates: [
      otherRoot.certificate,
      certify('Time authority', intermediate, { serial: 3n, signedBy: otherRoot.signer, signer: P384 })
        .certificate,
      intermediate.certificate,
      tsa.certificate,
    ],
  }),
]

const bytes = (change: (bytes: Uint8Array) => Uint8Array): TimeStampPlan => ({ bytes: change })
const tst = (change: (parts: Uint8Array[]) => Uint8Array[]): TimeStampPlan => ({ tstInfo: change })
const time = (text: string): TimeStampPlan => ({ time: text })

export const badTimeStamps: readonly Case[] = [
  malformed(
    'with-a-byte-behind-it',
    bytes((all) => Buffer.concat([all, Uint8Array.of(0)])),
  ),
  malformed(
    'without-its-last-byte',
    bytes((all) => all.subarray(0, -1)),
  ),
  malformed(
    'that-is-empty',
    bytes(() => new Uint8Array(0)),
  ),
  malformed(
    'that-is-text',
    bytes(() => utf8('time-stamp')),
  ),
  malformed(
    'of-indefinite-length',
    bytes((all) => Buffer.concat([Uint8Array.of(0x30, 0x80), all.subarray(4), new Uint8Array(2)])),
  ),
  malformed(
    'with-a-length-that-is-not-minimal',
    bytes((all) => Buffer.concat([Uint8Array.of(0x30, 0x83, 0), all.subarray(2)])),
  ),
  malformed('with-a-length-in-long-form-without-need', { status: [Uint8Array.of(0x02, 0x81, 0x01, 0x00)] }),
  malformed('with-an-integer-that-is-not-minimal', { status: [Uint8Array.of(0x02, 0x02, 0x00, 0x00)] }),
  malformed('with-a-boolean-that-is-neither-00-nor-ff', { optional: [der(TAG.boolean, Uint8Array.of(1))] }),
  malformed('with-a-null-that-has-content', {
    signedData: replaced(1, set(sequence(oid(HASH_OID['SHA-256']), der(TAG.null, Uint8Array.of(0))))),
  }),
  malformed(
    'with-an-object-identifier-that-is-not-minimal',
    tst(replaced(1, der(TAG.oid, Uint8Array.of(0x2a, 0x80, 0x01)))),
  ),
  malformed('with-a-tag-number-above-30', { response: (parts) => [...parts, Uint8Array.of(0x9f, 0x20, 0)] }),
  malformed('in-pieces', {
    content: ([type, content]) => [type!, der(0xa0, der(0x24, content!.subarray(4)))],
  }),
  malformed('larger-than-64-kib', { certificates: [tsa.certificate, octets(new Uint8Array(65_536))] }),
  malformed('that-is-nested-too-deep', {
    certificates: [
      tsa.certificate,
      Array.from({ length: 40 }).reduce<Uint8Array>((inner) => sequence(inner), nothing()),
    ],
  }),
  malformed('that-was-rejected', { status: [integer(2n)], response: (parts) => parts.slice(0, 1) }),
  malformed('with-the-status-waiting', { status: [integer(3n)] }),
  malformed('with-a-status-and-no-token', { response: (parts) => parts.slice(0, 1) }),
  malformed('without-its-response', { bytes: (all) => all.subarray(9) }),
  malformed('that-is-not-signed-data', { token: replaced(0, oid('1.2.840.113549.1.7.1')) }),
  malformed('with-content-of-another-type', { content: replaced(0, oid('1.2.840.113549.1.7.1')) }),
  malformed('without-content', { content: (parts) => parts.slice(0, 1) }),
  malformed('with-two-signers', {
    signedData: (parts) => parts.with(4, set(parts[4]!.subarray(4), parts[4]!.subarray(4))),
  }),
  malformed('without-a-signer', { signedData: replaced(4, set()) }),
  malformed('whose-digest-algorithm-is-not-listed', {
    signedData: replaced(1, set(sequence(oid(HASH_OID['SHA-512'])))),
  }),
  malformed('with-a-signer-named-by-its-key', { signerInfo: replaced(1, der(0x80, new Uint8Array(20))) }),
  malformed('with-a-digest-by-sha-1', { signerInfo: replaced(2, sequence(oid('1.3.14.3.2.26'))) }),
  malformed('with-an-unknown-signature-algorithm', {
    signerInfo: replaced(4, sequence(oid('1.2.840.113549.1.1.5'), nothing())),
  }),
  malformed('whose-signature-algorithm-names-another-hash', signed(P384, { digest: 'SHA-256' })),
  malformed('of-another-version', tst(replaced(0, integer(2n)))),
  malformed('without-a-policy', tst(without(1))),
  malformed('with-a-hash-by-sha-1', {
    imprint: sequence(sequence(oid('1.3.14.3.2.26')), octets(new Uint8Array(20))),
  }),
  malformed('with-a-hash-of-the-wrong-length', {
    imprint: sequence(sequence(oid(HASH_OID['SHA-256'])), octets(new Uint8Array(31))),
  }),
  malformed(
    'with-an-unknown-element',
    tst((parts) => [...parts, nothing()]),
  ),
  malformed('with-elements-in-another-order', { optional: [integer(7n), boolean(true)] }),
  malformed('with-an-unknown-critical-extension', { optional: [tstExtension(true)] }),
  malformed('without-a-serial-number', tst(without(3))),
  malformed('whose-time-is-not-utc', time('20260505120130+0000')),
  malformed('whose-time-has-no-zone', time('20260505120130')),
  malformed('whose-time-has-no-seconds', time('202605051201Z')),
  malformed('whose-time-has-an-empty-fraction', time('20260505120130.Z')),
  malformed('whose-time-does-not-exist', time('20260230120130Z')),
  malformed('whose-time-is-a-utc-time', tst(replaced(4, utcTime('260505120130Z')))),
  malformed('with-an-accuracy-of-1000-milliseconds', accuracy(der(0x80, Uint8Array.of(3, 0xe8)))),
  malformed('with-a-negative-accuracy', accuracy(der(TAG.integer, Uint8Array.of(0xff)))),
  malformed('without-signed-attributes', { signerInfo: without(3) }),
  malformed('with-signed-attributes-in-another-order', { order: (parts) => parts.toReversed() }),
  malformed('with-a-signed-attribute-twice', {
    attributes: (parts) => [...parts, attribute(MESSAGE_DIGEST, octets(new Uint8Array(32)))],
  }),
  malformed('with-two-values-of-a-signed-attribute', {
    attributes: (parts) =>
      parts.with(1, attribute(MESSAGE_DIGEST, octets(new Uint8Array(32)), octets(new Uint8Array(32)))),
  }),
  malformed('without-a-content-type', { attributes: without(0) }),
  malformed('without-a-message-digest', { attributes: without(1) }),
  malformed('that-does-not-name-its-certificate', { attributes: without(2) }),
  malformed('with-signed-attributes-of-another-content-type', {
    attributes: (parts) => parts.with(0, attribute('1.2.840.113549.1.9.3', oid('1.2.840.113549.1.7.1'))),
  }),
  malformed('that-names-two-certificates', { certificateId: certificateId({ ...tsa, serial: integer(9n) }) }),
  malformed('with-an-element-behind-its-signer', { signedData: (parts) => [...parts, nothing()] }),
  malformed('with-a-signature-that-is-no-octet-string', { signerInfo: replaced(5, integer(1n)) }),
  malformed('with-parameters-of-rsa-pss-that-are-missing', {
    signerInfo: replaced(4, sequence(oid('1.2.840.113549.1.1.10'))),
  }),
]
