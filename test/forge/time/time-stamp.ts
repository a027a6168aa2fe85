import { sha256 } from '../../../kit/src/crypto/sha256.ts'
import { der } from '../../../kit/src/time/der.ts'
import type { HashName } from '../../../kit/src/host.ts'
import { type Holder, intermediate, tsa } from './certificates.ts'
import { generalizedTime, integer, nothing, octets, oid, sequence, set, setOf } from './der-parts.ts'
import { digestOf, HASH_OID } from './signers.ts'

type Parts = (parts: Uint8Array[]) => Uint8Array[]

/** How a time-stamp deviates from a correct one. Each step is computed from the one before. */
export interface TimeStampPlan {
  readonly by?: Holder
  readonly time?: string
  readonly imprint?: Uint8Array
  /** Between the time and the end: accuracy, ordering, nonce, name, extensions. */
  readonly optional?: readonly Uint8Array[]
  readonly tstInfo?: Parts
  readonly digest?: HashName
  /** The ESSCertIDv2. */
  readonly certificateId?: Uint8Array
  /** The signed attributes, before they are sorted. */
  readonly attributes?: Parts
  readonly order?: Parts
  /** The tag under which the attributes are signed. */
  readonly signedTag?: number
  readonly signature?: (signature: Uint8Array) => Uint8Array
  readonly signerInfo?: Parts
  readonly content?: Parts
  readonly certificates?: readonly Uint8Array[]
  readonly signedData?: Parts
  readonly status?: readonly Uint8Array[]
  readonly token?: Parts
  readonly response?: Parts
  readonly bytes?: (bytes: Uint8Array) => Uint8Array
}

export const TST_INFO = '1.2.840.113549.1.9.16.1.4'
export const STAMPED_AT = '20260505120130Z'
export const attribute = (type: string, ...values: readonly Uint8Array[]): Uint8Array =>
  sequence(oid(type), set(...values))
export const CONTENT_TYPE = '1.2.840.113549.1.9.3'
export const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
export const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.47'

export const imprintOf = (data: Uint8Array, hash: HashName = 'SHA-256'): Uint8Array =>
  sequence(sequence(oid(HASH_OID[hash]), nothing()), octets(digestOf(hash, data)))

/** ESSCertIDv2 { certHash, issuerSerial } */
export const certificateId = ({ certificate, issuer, serial }: Holder): Uint8Array =>
  sequence(octets(sha256(certificate)), sequence(sequence(der(0xa4, issuer)), serial))

const apply = (step: Parts | undefined, parts: Uint8Array[]): Uint8Array[] => step?.(parts) ?? parts

/** The response of a time-stamp authority over `data`. */
export function makeTimeStamp(data: Uint8Array, plan: TimeStampPlan = {}): Uint8Array {
  const { by = tsa, digest = 'SHA-256' } = plan
  const tstInfo = sequence(
    ...apply(plan.tstInfo, [
      integer(1n),
      oid('1.3.6.1.4.1.99999.1'),
      plan.imprint ?? imprintOf(data),
      integer(77n),
      generalizedTime(plan.time ?? STAMPED_AT),
      ...(plan.optional ?? [sequence(integer(1n)), integer(0xfeedn)]),
    ]),
  )
  const attributes = apply(plan.attributes, [
    attribute(CONTENT_TYPE, oid(TST_INFO)),
    attribute(MESSAGE_DIGEST, octets(digestOf(digest, tstInfo))),
    attribute(SIGNING_CERTIFICATE, sequence(sequence(plan.certificateId ?? certificateId(by)))),
  ])
  const sorted = apply(
    plan.order,
    attributes.toSorted((a, b) => Buffer.compare(a, b)),
  )
  const signature = by.signer.sign(der(plan.signedTag ?? 0x31, ...sorted))
  const signerInfo = sequence(
    ...apply(plan.signerInfo, [
      integer(1n),
      sequence(by.issuer, by.serial),
      sequence(oid(HASH_OID[digest]), nothing()),
      der(0xa0, ...sorted),
      by.signer.algorithm,
      octets(plan.signature?.(signature) ?? signature),
    ]),
  )
  const signedData = sequence(
    ...apply(plan.signedData, [
      integer(3n),
      set(sequence(oid(HASH_OID[digest]), nothing())),
      sequence(...apply(plan.content, [oid(TST_INFO), der(0xa0, octets(tstInfo))])),
      der(0xa0, ...(plan.certificates ?? [by.certificate, intermediate.certificate])),
      setOf(signerInfo),
    ]),
  )
  const token = sequence(...apply(plan.token, [oid('1.2.840.113549.1.7.2'), der(0xa0, signedData)]))
  const response = sequence(...apply(plan.response, [sequence(...(plan.status ?? [integer(0n)])), token]))
  return plan.bytes?.(response) ?? response
}
