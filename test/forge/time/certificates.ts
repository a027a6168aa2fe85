import { der } from '../../../kit/src/time/der.ts'
import { boolean, integer, name, octets, oid, sequence, utcTime } from './der-parts.ts'
import { bitString, type CertificateSigner, ecdsaSigner } from './signers.ts'

/** A certificate with its key. */
export interface Holder {
  readonly name: Uint8Array
  readonly serial: Uint8Array
  readonly issuer: Uint8Array
  readonly certificate: Uint8Array
  readonly signer: CertificateSigner
}

/** How a certificate deviates from a plain one. */
export interface CertificatePlan {
  readonly signer?: CertificateSigner
  readonly serial?: bigint
  readonly valid?: readonly [string, string]
  readonly extensions?: readonly Uint8Array[]
  /** The parts of the certificate that is signed. */
  readonly parts?: (parts: Uint8Array[]) => Uint8Array[]
  /** Signs instead of the issuer. */
  readonly signedBy?: CertificateSigner
}

export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
export const extension = (type: string, critical: boolean, value: Uint8Array): Uint8Array =>
  sequence(oid(type), ...(critical ? [boolean(true)] : []), octets(value))
export const purposes = (critical: boolean, ...oids: readonly string[]): Uint8Array =>
  extension('2.5.29.37', critical, sequence(...oids.map(oid)))
/** The bits of the first byte. */
export const keyUsage = (bits: number): Uint8Array =>
  extension('2.5.29.15', true, der(3, Uint8Array.of(bits & 1 ? 0 : 1, bits)))
export const basicConstraints = (isCa: boolean, pathLength?: number): Uint8Array =>
  extension(
    '2.5.29.19',
    true,
    sequence(
      ...(isCa ? [boolean(true)] : []),
      ...(pathLength === undefined ? [] : [integer(BigInt(pathLength))]),
    ),
  )

export const CA_EXTENSIONS = [basicConstraints(true), keyUsage(0x06)]
export const AUTHORITY_EXTENSIONS = [basicConstraints(false), keyUsage(0x80), purposes(true, TIME_STAMPING)]
/** The time-stamps of the vectors are made within it. */
const VALID = ['260101000000Z', '270101000000Z'] as const

/** Makes a certificate. Without an issuer it is self-signed. */
export function certify(subject: string, issuer: Holder | undefined, plan: CertificatePlan): Holder {
  const signer = plan.signer ?? ecdsaSigner()
  const own = name(subject)
  const serial = integer(plan.serial ?? 1n)
  const by = plan.signedBy ?? issuer?.signer ?? signer
  const issuerName = issuer?.name ?? own
  const parts = [
    der(0xa0, integer(2n)),
    serial,
    by.algorithm,
    issuerName,
    sequence(...(plan.valid ?? VALID).map(utcTime)),
    own,
    signer.spki,
    der(0xa3, sequence(...(plan.extensions ?? AUTHORITY_EXTENSIONS))),
  ]
  const signed = sequence(...(plan.parts?.(parts) ?? parts))
  const certificate = sequence(signed, by.algorithm, bitString(by.sign(signed)))
  return { name: own, serial, issuer: issuerName, certificate, signer }
}

/** A plan for the certificate of a CA. */
export const ca = (plan: CertificatePlan = {}): CertificatePlan => ({ extensions: CA_EXTENSIONS, ...plan })

export const root = certify('Time root', undefined, ca())
export const intermediate = certify('Time CA', root, ca({ serial: 2n }))
export const tsa = certify('Time authority', intermediate, { serial: 3n })
/** Nobody gives this root to a reader. */
export const otherRoot = certify('Other root', undefined, ca())

/** Certificates as a reader gives them. */
export function pem(...holders: readonly Holder[]): string {
  return holders
    .map(({ certificate }) =>
      Buffer.from(certificate)
        .toString('base64')
        .replaceAll(/.{1,64}/g, '$&\n'),
    )
    .map((text) => `-----BEGIN CERTIFICATE-----\n${text}-----END CERTIFICATE-----\n`)
    .join('')
}
