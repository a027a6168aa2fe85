import { fromUtf8, hex, sameBytes } from '../encoding/bytes.ts'
import type { HashName } from '../host.ts'
import { nameKey } from './certificate.ts'
import {
  childrenOf,
  type DerElement,
  DerReader,
  generalizedTime,
  oidOf,
  onlyChild,
  parseDer,
  smallInteger,
  TAG,
  timeStampMalformed,
  undefinedIfMalformed,
} from './der.ts'
import {
  type NamedAlgorithm,
  parseHashAlgorithm,
  parseIdentifierHash,
  parseSignatureAlgorithm,
} from './signature.ts'

/** A time-stamp (RFC 3161): an authority's statement that it knew a hash at a time. */
export interface TimeStamp extends TstInfo {
  /** What the authority's statement is made of, to compare with the message digest. */
  readonly content: Uint8Array
  /** Names the authority's certificate. */
  readonly signer: IssuerSerial
  readonly digest: HashName
  readonly algorithm: NamedAlgorithm
  readonly attributes: SignedAttributes
  readonly signature: Uint8Array
  /** In DER. Nothing signed covers them, and they need not belong to the authority. */
  readonly certificates: readonly Uint8Array[]
}

const SIGNED_DATA = '1.2.840.113549.1.7.2'
export const TIME_STAMP_LIMIT_BYTES = 64 * 1024

/**
 * Parses the response of a time-stamp authority. Throws TimeStampFormatError. Nothing is verified: use verifyTimeStamp().
 */
export function parseTimeStamp(bytes: Uint8Array): TimeStamp {
  if (bytes.length > TIME_STAMP_LIMIT_BYTES)
    timeStampMalformed(`the response is larger than ${TIME_STAMP_LIMIT_BYTES} bytes`)
  const response = new DerReader(parseDer(bytes, 'the response'), 'the response')
  checkStatus(response.take(TAG.sequence, 'status'))
  const token = new DerReader(response.take(TAG.sequence, 'time-stamp'), 'the time-stamp token')
  response.end()
  if (oidOf(token.take(TAG.oid, 'type')) !== SIGNED_DATA)
    timeStampMalformed('the time-stamp token is not signed data')
  const signedData = onlyChild(token.take(0xa0, 'content'), 'the time-stamp token')
  token.end()
  return parseSignedData(signedData)
}

/** PKIStatusInfo: granted, or granted with modifications. */
function checkStatus(element: DerElement): void {
  const reader = new DerReader(element, 'the status')
  const status = smallInteger(reader.take(TAG.integer, 'status'), 'the status')
  const texts = reader.option(TAG.sequence)
  reader.option(TAG.bitString)
  reader.end()
  if (status === 0 || status === 1) return
  const text =
    texts === undefined
      ? undefined
      : fromUtf8(childrenOf(texts, 'the status')[0]?.content ?? new Uint8Array(0))
  timeStampMalformed(
    `the authority refused the request with status ${status}${text === undefined ? '' : `: ${text}`}`,
  )
}

function parseSignedData(element: DerElement): TimeStamp {
  const what = 'the signed data'
  const reader = new DerReader(element, what)
  // Nothing depends on the version, and authorities differ in it.
  reader.take(TAG.integer, 'version')
  const digests = childrenOf(reader.take(TAG.set, 'digest algorithms'), what)
  const content = parseContent(reader.take(TAG.sequence, 'content'))
  const certificates = reader.option(0xa0)
  reader.option(0xa1)
  const signers = childrenOf(reader.take(TAG.set, 'signers'), what)
  reader.end()
  const [signer, ...others] = signers
  if (signer === undefined || others.length > 0)
    timeStampMalformed(`${what} does not have exactly one signer`)
  const parsed = parseSigner(signer)
  if (!digests.some((one) => undefinedIfMalformed(() => parseHashAlgorithm(one, what)) === parsed.digest))
    timeStampMalformed(`${what} does not list the signer's digest algorithm`)
  return {
    ...parseTstInfo(content),
    content,
    ...parsed,
    certificates: certificates === undefined ? [] : certificatesIn(certificates),
  }
}

function parseContent(element: DerElement): Uint8Array {
  const reader = new DerReader(element, 'the content')
  if (oidOf(reader.take(TAG.oid, 'type')) !== TST_INFO) timeStampMalformed('the content is not a time-stamp')
  const content = onlyChild(reader.take(0xa0, 'time-stamp'), 'the content')
  reader.end()
  return content.tag === TAG.octetString
    ? content.content
    : timeStampMalformed('the content is not an octet string')
}

/** Other kinds, such as attribute certificates, are left out. */
function certificatesIn(element: DerElement): readonly Uint8Array[] {
  return childrenOf(element, 'the certificates')
    .filter(({ tag }) => tag === TAG.sequence)
    .map(({ bytes }) => bytes)
}

type Signer = Pick<TimeStamp, 'signer' | 'digest' | 'algorithm' | 'attributes' | 'signature'>

function parseSigner(element: DerElement): Signer {
  const what = "the signer's information"
  const reader = new DerReader(element, what)
  reader.take(TAG.integer, 'version')
  const id = new DerReader(reader.take(TAG.sequence, 'issuer and serial number'), what)
  const signer = {
    issuerKey: nameKey(id.take(TAG.sequence, 'issuer')),
    serial: id.take(TAG.integer, 'serial number').content,
  }
  id.end()
  const digest = parseHashAlgorithm(
    reader.take(TAG.sequence, 'digest algorithm'),
    "the signer's digest algorithm",
  )
  const attributes = parseSignedAttributes(reader.take(0xa0, 'signed attributes'))
  const algorithm = parseSignatureAlgorithm(reader.take(TAG.sequence, 'algorithm'), 'the signature algorithm')
  const signature = reader.take(TAG.octetString, 'signature').content
  reader.option(0xa1)
  reader.end()
  // The hash is stated in two places, and programs differ in which one they use.
  if (algorithm.hash !== undefined && algorithm.hash !== digest)
    timeStampMalformed(`${what} names two different hashes`)
  for (const { issuerSerial } of attributes.certificateIds)
    if (issuerSerial !== undefined && !isSameSigner(issuerSerial, signer))
      timeStampMalformed(`${what} names two different certificates`)
  return { signer, digest, algorithm, attributes, signature }
}

/** The statement that an authority signs (RFC 3161, TSTInfo). */
interface TstInfo {
  /** The policy of the authority, an object identifier. */
  readonly policy: string
  /** The hash of what was stamped. */
  readonly imprint: { readonly algorithm: HashName; readonly hash: Uint8Array }
  /** In hex. */
  readonly serial: string
  /** The stated time, in milliseconds since 1970, rounded up. */
  readonly time: number
  /** How much later the real time may be, in milliseconds, rounded up. */
  readonly accuracyMs: number
  /** In hex, as the integer in DER. */
  readonly nonce: string | undefined
  /** The name that the authority gives itself, a GeneralName in DER. */
  readonly authority: Uint8Array | undefined
}

const WHAT = 'the time-stamp'
const HASH_BYTES: Readonly<Record<HashName, number>> = { 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 }

/** Parses a TSTInfo. Throws TimeStampFormatError. */
function parseTstInfo(bytes: Uint8Array): TstInfo {
  const reader = new DerReader(parseDer(bytes, WHAT), WHAT)
  if (smallInteger(reader.take(TAG.integer, 'version'), 'the version') !== 1)
    timeStampMalformed(`${WHAT} is not of version 1`)
  const policy = oidOf(reader.take(TAG.oid, 'policy'))
  const imprint = parseImprint(reader.take(TAG.sequence, 'message imprint'))
  const serial = hex(reader.take(TAG.integer, 'serial number').content)
  const time = generalizedTime(reader.take(TAG.generalizedTime, 'time'), 'the time of the time-stamp')
  const accuracy = reader.option(TAG.sequence)
  reader.option(TAG.boolean)
  const nonce = reader.option(TAG.integer)
  const authority = reader.option(0xa0)
  const extensions = reader.option(0xa1)
  reader.end()
  if (extensions !== undefined) checkExtensions(extensions)
  return {
    policy,
    imprint,
    serial,
    time,
    accuracyMs: accuracy === undefined ? 0 : parseAccuracy(accuracy),
    nonce: nonce === undefined ? undefined : hex(nonce.content),
    authority: authority === undefined ? undefined : onlyChild(authority, WHAT).bytes,
  }
}

function parseImprint(element: DerElement): TstInfo['imprint'] {
  const reader = new DerReader(element, 'the message imprint')
  const algorithm = parseHashAlgorithm(
    reader.take(TAG.sequence, 'hash algorithm'),
    'the hash of the time-stamp',
  )
  const hash = reader.take(TAG.octetString, 'hash').content
  reader.end()
  if (hash.length !== HASH_BYTES[algorithm]) timeStampMalformed(`${WHAT} has a hash of the wrong length`)
  return { algorithm, hash }
}

/** Accuracy { seconds, [0] millis, [1] micros }, each below 1000. Some authorities write 0, which adds nothing. */
function parseAccuracy(element: DerElement): number {
  const what = 'the accuracy of the time-stamp'
  const reader = new DerReader(element, what)
  const seconds = reader.option(TAG.integer)
  const [millis, micros] = [reader.option(0x80), reader.option(0x81)].map((part) => {
    const value = part === undefined ? 0 : smallInteger(part, what)
    return part === undefined || (part.content.length > 0 && value <= 999)
      ? value
      : timeStampMalformed(`${what} is out of range`)
  })
  reader.end()
  return (seconds === undefined ? 0 : smallInteger(seconds, what)) * 1000 + millis! + (micros! > 0 ? 1 : 0)
}

function checkExtensions(extensions: DerElement): void {
  // [1] is implicit: its content is the list.
  for (const extension of new DerReader(extensions, WHAT, 0xa1).rest()) {
    const reader = new DerReader(extension, 'an extension of the time-stamp')
    const oid = oidOf(reader.take(TAG.oid, 'name'))
    if (reader.option(TAG.boolean)?.content[0] === 0xff)
      timeStampMalformed(`${WHAT} has an unknown critical extension: ${oid}`)
    reader.take(TAG.octetString, 'value')
    reader.end()
  }
}

/** What the signature of a time-stamp covers (RFC 5652, section 5.3; RFC 5816). */
interface SignedAttributes {
  /** The bytes that are signed: a SET OF. */
  readonly signed: Uint8Array
  readonly messageDigest: Uint8Array
  /** What identifies the authority's certificate: ESSCertIDv2, ESSCertID or both. All of them hold. */
  readonly certificateIds: readonly CertificateId[]
}

interface CertificateId {
  readonly algorithm: HashName | 'SHA-1'
  readonly hash: Uint8Array
  /** Where stated beside the hash. */
  readonly issuerSerial: IssuerSerial | undefined
}

/** Names a certificate. */
interface IssuerSerial {
  /** The issuer as nameKey() gives it. */
  readonly issuerKey: string
  readonly serial: Uint8Array
}

const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE_V1 = '1.2.840.113549.1.9.16.2.12'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
export const TST_INFO = '1.2.840.113549.1.9.16.1.4'

const ATTRIBUTES = 'the signed attributes'

function parseSignedAttributes(attributes: DerElement): SignedAttributes {
  const found = new Map<string, DerElement>()
  let previous: Uint8Array | undefined
  for (const attribute of childrenOf(attributes, ATTRIBUTES)) {
    // Otherwise programs that encode the set again would verify other bytes.
    if (previous !== undefined && !isBefore(previous, attribute.bytes))
      timeStampMalformed(`${ATTRIBUTES} are not in DER order`)
    previous = attribute.bytes
    const reader = new DerReader(attribute, 'a signed attribute')
    const type = oidOf(reader.take(TAG.oid, 'type'))
    const values = reader.take(TAG.set, 'value')
    reader.end()
    if (found.has(type)) timeStampMalformed(`${ATTRIBUTES} have one attribute twice`)
    found.set(type, values)
  }
  const contentType = valueOf(found, CONTENT_TYPE, TAG.oid, 'content type')
  if (oidOf(contentType) !== TST_INFO) timeStampMalformed(`${ATTRIBUTES} name another content type`)
  const { content: messageDigest } = valueOf(found, MESSAGE_DIGEST, TAG.octetString, 'message digest')
  const certificateIds = [SIGNING_CERTIFICATE_V2, SIGNING_CERTIFICATE_V1]
    .filter((type) => found.has(type))
    .map((type) => {
      const value = valueOf(found, type, TAG.sequence, 'signing certificate')
      return parseSigningCertificate(value, type === SIGNING_CERTIFICATE_V1)
    })
  if (certificateIds.length === 0) timeStampMalformed(`${ATTRIBUTES} have no signing certificate`)
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
  const values = found.get(type) ?? timeStampMalformed(`${ATTRIBUTES} have no ${what}`)
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
