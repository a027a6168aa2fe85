import { sameBytes } from '../encoding/utf8.ts'
import { nameKey } from './certificate-name.ts'
import { childrenOf, type DerElement, DerReader, oidOf, onlyChild, TAG } from './der.ts'
import { type HashName, parseIdentifierHash } from './signature-algorithm.ts'
import { timeStampMalformed } from './time-stamp-format.ts'

/** What the signature of a time-stamp covers (RFC 5652, section 5.3; RFC 5816). */
export interface SignedAttributes {
  /** The bytes that are signed: a SET OF. */
  readonly signed: Uint8Array
  readonly messageDigest: Uint8Array
  /** What identifies the authority's certificate: ESSCertIDv2, ESSCertID or both. All of them hold. */
  readonly certificateIds: readonly CertificateId[]
}

export interface CertificateId {
  readonly algorithm: HashName | 'SHA-1'
  readonly hash: Uint8Array
  /** Where stated beside the hash. */
  readonly issuerSerial: IssuerSerial | undefined
}

/** Names a certificate. */
export interface IssuerSerial {
  /** The issuer as nameKey() gives it. */
  readonly issuerKey: string
  readonly serial: Uint8Array
}

const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE_V1 = '1.2.840.113549.1.9.16.2.12'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
export const TST_INFO = '1.2.840.113549.1.9.16.1.4'

const WHAT = 'the signed attributes'

export function parseSignedAttributes(attributes: DerElement): SignedAttributes {
  const found = new Map<string, DerElement>()
  let previous: Uint8Array | undefined
  for (const attribute of childrenOf(attributes, WHAT)) {
    // Otherwise programs that encode the set again would verify other bytes.
    if (previous !== undefined && !isBefore(previous, attribute.bytes))
      timeStampMalformed(`${WHAT} are not in DER order`)
    previous = attribute.bytes
    const reader = new DerReader(attribute, 'a signed attribute')
    const type = oidOf(reader.take(TAG.oid, 'type'))
    const values = reader.take(TAG.set, 'value')
    reader.end()
    if (found.has(type)) timeStampMalformed(`${WHAT} have one attribute twice`)
    found.set(type, values)
  }
  const contentType = valueOf(found, CONTENT_TYPE, TAG.oid, 'content type')
  if (oidOf(contentType) !== TST_INFO) timeStampMalformed(`${WHAT} name another content type`)
  const { content: messageDigest } = valueOf(found, MESSAGE_DIGEST, TAG.octetString, 'message digest')
  const certificateIds = [SIGNING_CERTIFICATE_V2, SIGNING_CERTIFICATE_V1]
    .filter((type) => found.has(type))
    .map((type) => {
      const value = valueOf(found, type, TAG.sequence, 'signing certificate')
      return parseSigningCertificate(value, type === SIGNING_CERTIFICATE_V1)
    })
  if (certificateIds.length === 0) timeStampMalformed(`${WHAT} have no signing certificate`)
  // Not slice(), which does not copy a Buffer.
  const signed = new Uint8Array(attributes.bytes)
  // The signature is over a SET OF, not over the [0] in the signer's information.
  signed[0] = TAG.set
  return { signed, messageDigest, certificateIds }
}

function valueOf(
  found: ReadonlyMap<string, DerElement>,
  type: string,
  tag: number,
  what: string,
): DerElement {
  const values = found.get(type) ?? timeStampMalformed(`${WHAT} have no ${what}`)
  const value = onlyChild(values, `the ${what}`)
  return value.tag === tag ? value : timeStampMalformed(`the ${what} has the wrong type`)
}

/** SigningCertificate or SigningCertificateV2 { certs, policies? }, of which the first certificate is the authority's. */
function parseSigningCertificate(value: DerElement, isV1: boolean): CertificateId {
  const what = 'the signing certificate'
  const outer = new DerReader(value, what)
  const [first] = childrenOf(outer.take(TAG.sequence, 'certificates'), what)
  outer.option(TAG.sequence)
  outer.end()
  const reader = new DerReader(first, what)
  const named = isV1 ? undefined : reader.option(TAG.sequence)
  const { content: hash } = reader.take(TAG.octetString, 'hash')
  const issuerSerial = reader.option(TAG.sequence)
  reader.end()
  const byDefault = isV1 ? 'SHA-1' : 'SHA-256'
  return {
    algorithm: named === undefined ? byDefault : parseIdentifierHash(named, `the hash of ${what}`),
    hash,
    issuerSerial: issuerSerial === undefined ? undefined : parseIssuerSerial(issuerSerial),
  }
}

function parseIssuerSerial(element: DerElement): IssuerSerial {
  const what = 'the issuer of the signing certificate'
  const reader = new DerReader(element, what)
  const name = onlyChild(reader.take(TAG.sequence, 'name'), what)
  const serial = reader.take(TAG.integer, 'serial number').content
  reader.end()
  // GeneralName, [4] directoryName
  if (name.tag !== 0xa4) timeStampMalformed(`${what} is not a directory name`)
  return { issuerKey: nameKey(onlyChild(name, what)), serial }
}

function isBefore(a: Uint8Array, b: Uint8Array): boolean {
  const at = a.findIndex((byte, index) => byte !== b[index])
  return at < 0 ? a.length < b.length : a[at]! < (b[at] ?? 0)
}

export function isSameSigner(one: IssuerSerial, other: IssuerSerial): boolean {
  return one.issuerKey === other.issuerKey && sameBytes(one.serial, other.serial)
}
