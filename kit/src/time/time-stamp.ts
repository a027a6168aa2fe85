import { fromUtf8 } from '../encoding/utf8.ts'
import { nameKey } from './certificate-name.ts'
import {
  childrenOf,
  type DerElement,
  DerReader,
  oidOf,
  onlyChild,
  parseDer,
  smallInteger,
  TAG,
} from './der.ts'
import {
  type HashName,
  type NamedAlgorithm,
  parseHashAlgorithm,
  parseSignatureAlgorithm,
} from './signature-algorithm.ts'
import {
  type IssuerSerial,
  isSameSigner,
  parseSignedAttributes,
  type SignedAttributes,
  TST_INFO,
} from './signed-attributes.ts'
import { timeStampMalformed, undefinedIfMalformed } from './time-stamp-format.ts'
import { parseTstInfo, type TstInfo } from './tst-info.ts'

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
