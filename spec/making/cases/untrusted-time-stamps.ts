import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import type { Case } from '../case.ts'
import {
  AUTHORITY_EXTENSIONS,
  basicConstraints,
  ca,
  type CertificatePlan,
  certify,
  extension,
  type Holder,
  intermediate,
  keyUsage,
  otherRoot,
  purposes,
  root,
  TIME_STAMPING,
  tsa,
} from '../time/certificates.ts'
import { name as distinguishedName, nothing, oid, sequence } from '../time/der-parts.ts'
import { expiredRoot, type RootsName } from '../time/roots.ts'
import { rsaSigner } from '../time/signers.ts'
import { makeTimeStamp, type TimeStampPlan } from '../time/time-stamp.ts'
import { DATA, essV1, rejected, stampCase } from './time-stamps.ts'

const [NO_CA, SIGNS, STAMPS] = AUTHORITY_EXTENSIONS as [Uint8Array, Uint8Array, Uint8Array]
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const UNKNOWN_CRITICAL = extension('1.3.6.1.4.1.99999.4', true, nothing())

const untrusted = (name: string, plan: TimeStampPlan, roots?: RootsName): Case =>
  stampCase(
    `a-time-stamp-${name}-is-untrusted`,
    makeTimeStamp(utf8(DATA), plan),
    rejected('untrusted'),
    roots,
  )
const trusted = (name: string, plan: TimeStampPlan): Case =>
  stampCase(`a-time-stamp-${name}-is-accepted`, makeTimeStamp(utf8(DATA), plan), {
    code: null,
    authority: 'Other authority',
    existed_before: '2026-05-05T12:01:31.000Z',
  })

/** A time-stamp of an authority with this certificate. */
const by = (plan: CertificatePlan): TimeStampPlan => ({
  by: certify('Other authority', intermediate, { serial: 4n, ...plan }),
})
const withExtensions = (...extensions: readonly Uint8Array[]): TimeStampPlan => by({ extensions })

/** The issuer of the authority, as a certificate may name it. */
const renamed = (commonName: string, stringTag?: number): Holder => ({
  ...intermediate,
  name: distinguishedName(commonName, stringTag),
})
const SHA1 = { ...root.signer, algorithm: sequence(oid('1.2.840.10045.4.1')) }

/** A time-stamp whose chain has these CA certificates, from the root down. */
function below(...plans: readonly CertificatePlan[]): TimeStampPlan {
  let issuer: Holder = root
  const certificates: Uint8Array[] = []
  for (const [at, plan] of plans.entries()) {
    issuer = certify(`CA ${at + 1}`, issuer, ca(plan))
    certificates.push(issuer.certificate)
  }
  const own = certify('Other authority', issuer, {})
  return { by: own, certificates: [own.certificate, ...certificates] }
}

export const chains: readonly Case[] = [
  trusted(
    'of-an-authority-whose-key-usage-is-both-kinds-of-signatures',
    withExtensions(NO_CA, keyUsage(0xc0), STAMPS),
  ),
  trusted('of-an-authority-without-key-usage-and-basic-constraints', withExtensions(STAMPS)),
  trusted('with-three-ca-certificates', below({}, {}, {})),
  trusted('of-an-authority-whose-issuer-is-named-in-another-encoding', {
    by: certify('Other authority', renamed('time  Ca', 0x13), {}),
  }),
  trusted(
    'within-the-path-length',
    below({ extensions: [basicConstraints(true, 1)] }, { extensions: [basicConstraints(true, 0)] }),
  ),
  trusted(
    'of-an-authority-below-a-ca-for-time-stamping',
    below({ extensions: [basicConstraints(true), purposes(false, TIME_STAMPING)] }),
  ),
  trusted(
    'of-an-authority-below-a-ca-for-any-purpose',
    below({ extensions: [basicConstraints(true), purposes(false, '2.5.29.37.0')] }),
  ),
  trusted('made-in-the-first-second-of-its-certificate', by({ valid: ['260505120130Z', '270101000000Z'] })),
  trusted('made-in-the-last-second-of-its-certificate', by({ valid: ['260101000000Z', '260505120130Z'] })),
]

export const brokenChains: readonly Case[] = [
  untrusted('that-leads-to-another-root', {}, 'other'),
  untrusted('that-leads-to-the-certificate-of-another-authority', below({}), 'authority'),
  untrusted(
    'of-an-authority-that-another-authority-certified',
    { by: certify('Other authority', tsa, {}) },
    'authority',
  ),
  untrusted('that-names-another-certificate-by-sha-1', {
    attributes: (parts) => parts.with(2, essV1(intermediate.certificate)),
  }),
  untrusted('that-names-another-certificate-by-sha-1-too', {
    attributes: (parts) => [...parts, essV1(intermediate.certificate)],
  }),
  untrusted('without-an-intermediate-certificate', { certificates: [tsa.certificate] }),
  untrusted('without-its-certificate', { certificates: [intermediate.certificate] }),
  untrusted('without-certificates', { signedData: (parts) => parts.toSpliced(3, 1) }),
  untrusted('with-a-twin-instead-of-its-certificate', {
    certificates: [
      certify('Time authority', intermediate, { serial: 3n, signer: otherRoot.signer }).certificate,
    ],
  }),
  untrusted('signed-by-a-twin-of-its-certificate', {
    by: {
      ...certify('Time authority', intermediate, { serial: 3n, signer: otherRoot.signer }),
      certificate: tsa.certificate,
    },
    certificates: [
      certify('Time authority', intermediate, { serial: 3n, signer: otherRoot.signer }).certificate,
      intermediate.certificate,
    ],
  }),
  untrusted('whose-certificate-had-expired', by({ valid: ['260101000000Z', '260505120129Z'] })),
  untrusted('whose-certificate-was-not-yet-valid', by({ valid: ['260505120131Z', '270101000000Z'] })),
  untrusted('whose-ca-certificate-had-expired', below({ valid: ['260101000000Z', '260505120129Z'] })),
  untrusted('whose-root-had-expired', { by: certify('Other authority', expiredRoot, {}) }, 'expired'),
  untrusted('of-a-ca', withExtensions(basicConstraints(true), SIGNS, STAMPS)),
  untrusted('of-an-authority-without-a-purpose', withExtensions(NO_CA, SIGNS)),
  untrusted(
    'of-an-authority-whose-purpose-is-not-critical',
    withExtensions(NO_CA, SIGNS, purposes(false, TIME_STAMPING)),
  ),
  untrusted(
    'of-an-authority-with-another-purpose',
    withExtensions(NO_CA, SIGNS, purposes(true, CODE_SIGNING)),
  ),
  untrusted(
    'of-an-authority-with-two-purposes',
    withExtensions(NO_CA, SIGNS, purposes(true, TIME_STAMPING, CODE_SIGNING)),
  ),
  untrusted('of-an-authority-with-another-key-usage', withExtensions(NO_CA, keyUsage(0x20), STAMPS)),
  untrusted('of-an-authority-that-may-sign-certificates', withExtensions(NO_CA, keyUsage(0x84), STAMPS)),
  untrusted(
    'of-an-authority-with-an-unknown-critical-extension',
    withExtensions(NO_CA, SIGNS, STAMPS, UNKNOWN_CRITICAL),
  ),
  untrusted('of-an-authority-with-an-extension-twice', withExtensions(NO_CA, SIGNS, STAMPS, STAMPS)),
  untrusted('of-an-authority-with-a-key-of-1024-bits', by({ signer: rsaSigner({ bits: 1024 }) })),
  untrusted(
    'of-an-authority-whose-certificate-is-of-version-1',
    by({ parts: (parts) => parts.slice(1, -1) }),
  ),
  untrusted('whose-certificate-is-signed-with-another-key', by({ signedBy: otherRoot.signer })),
  untrusted(
    'whose-certificate-names-two-algorithms',
    by({ parts: (parts) => parts.with(2, rsaSigner({}).algorithm) }),
  ),
  untrusted(
    'whose-certificate-is-signed-by-sha-1',
    by({ signedBy: { ...intermediate.signer, algorithm: sequence(oid('1.2.840.10045.4.1')) } }),
  ),
  untrusted('whose-issuer-is-no-ca', below({ extensions: [basicConstraints(false), keyUsage(0x06)] })),
  untrusted('whose-issuer-has-no-basic-constraints', below({ extensions: [keyUsage(0x06)] })),
  untrusted(
    'whose-issuer-may-not-sign-certificates',
    below({ extensions: [basicConstraints(true), keyUsage(0x80)] }),
  ),
  untrusted(
    'whose-issuer-has-another-purpose',
    below({ extensions: [basicConstraints(true), purposes(false, CODE_SIGNING)] }),
  ),
  untrusted(
    'whose-issuer-has-an-unknown-critical-extension',
    below({ extensions: [basicConstraints(true), UNKNOWN_CRITICAL] }),
  ),
  untrusted('beyond-the-path-length', below({ extensions: [basicConstraints(true, 0)] }, {})),
  untrusted('with-nine-ca-certificates', below({}, {}, {}, {}, {}, {}, {}, {})),
  untrusted('in-a-circle', {
    by: certify('Other authority', { ...intermediate, name: otherRoot.name, signer: otherRoot.signer }, {}),
    certificates: [
      certify('Other authority', { ...intermediate, name: otherRoot.name, signer: otherRoot.signer }, {})
        .certificate,
      otherRoot.certificate,
    ],
  }),
  untrusted('whose-issuer-has-another-name', { by: certify('Other authority', renamed('Time CB'), {}) }),
  untrusted('whose-issuer-is-of-version-1', below({ parts: (parts) => parts.slice(1, -1) })),
  untrusted('whose-issuer-is-signed-by-sha-1', below({ signedBy: SHA1 })),
]
