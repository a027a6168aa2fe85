import { HIDDEN } from '../invisible.ts'
import { fromBase64, fromUtf8, hex, sameBytes } from '../encoding/bytes.ts'
import {
  certificateTime,
  childrenOf,
  type DerElement,
  DerReader,
  oidOf,
  onlyChild,
  parseDer,
  smallInteger,
  TAG,
  timeStampMalformed,
  undefinedIfMalformed,
} from './der.ts'
import {
  type CertificateKey,
  type NamedAlgorithm,
  parsePublicKey,
  parseSignatureAlgorithm,
} from './signature.ts'

/** What a chain of certificates depends on (RFC 5280). */
export interface Certificate {
  readonly bytes: Uint8Array
  /** The part that is signed. */
  readonly signed: Uint8Array
  /** Undefined if it is not supported, such as SHA-1: then only a reader can vouch for the certificate. */
  readonly algorithm: NamedAlgorithm | undefined
  readonly signature: Uint8Array
  readonly serial: Uint8Array
  /** The name in DER. */
  readonly subject: Uint8Array
  /** Names as nameKey() gives them, to compare. */
  readonly issuerKey: string
  readonly subjectKey: string
  readonly notBefore: number
  readonly notAfter: number
  readonly key: CertificateKey
  /** Undefined without basic constraints, as in old roots. */
  readonly isCa: boolean | undefined
  /** How many CA certificates may follow. */
  readonly pathLength: number | undefined
  /** The bits of the key usage, the first one highest; undefined without one. */
  readonly keyUsage: number | undefined
  readonly extendedKeyUsage: { readonly critical: boolean; readonly purposes: readonly string[] } | undefined
  /** GeneralNames in DER. */
  readonly otherNames: readonly Uint8Array[]
  readonly unknownCritical: string | undefined
}

const WHAT = 'a certificate'
const EXTENSION = {
  keyUsage: '2.5.29.15',
  otherNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  policies: '2.5.29.32',
  extendedKeyUsage: '2.5.29.37',
} as const

/** Parses an X.509 certificate. Throws TimeStampFormatError. */
export function parseCertificate(bytes: Uint8Array): Certificate {
  const outer = new DerReader(parseDer(bytes, WHAT), WHAT)
  const signed = outer.take(TAG.sequence, 'signed part')
  const algorithm = outer.take(TAG.sequence, 'algorithm')
  const signature = outer.take(TAG.bitString, 'signature')
  outer.end()
  if (signature.content[0] !== 0) timeStampMalformed(`${WHAT} has a signature that is not whole bytes`)
  const reader = new DerReader(signed, WHAT)
  const explicit = reader.option(0xa0)
  const version = explicit === undefined ? undefined : onlyChild(explicit, WHAT)
  // Version 1, of old roots, is not written and has no extensions.
  if (version !== undefined && (version.tag !== TAG.integer || smallInteger(version, 'a version') !== 2))
    timeStampMalformed(`${WHAT} is neither of version 1 nor 3`)
  const serial = reader.take(TAG.integer, 'serial number').content
  if (!sameBytes(reader.take(TAG.sequence, 'algorithm').bytes, algorithm.bytes))
    timeStampMalformed(`${WHAT} names two signature algorithms`)
  const issuer = reader.take(TAG.sequence, 'issuer')
  const validity = childrenOf(reader.take(TAG.sequence, 'validity'), WHAT)
  const [notBefore, notAfter] = validity
  if (notBefore === undefined || notAfter === undefined || validity.length > 2)
    return timeStampMalformed(`${WHAT} has no validity`)
  const subject = reader.take(TAG.sequence, 'subject')
  const key = parsePublicKey(reader.take(TAG.sequence, 'public key'))
  reader.option(0x81)
  reader.option(0x82)
  const extensions = version === undefined ? undefined : reader.option(0xa3)
  reader.end()
  return {
    bytes,
    signed: signed.bytes,
    algorithm: undefinedIfMalformed(() => parseSignatureAlgorithm(algorithm, 'its signature algorithm')),
    signature: signature.content.subarray(1),
    serial,
    subject: subject.bytes,
    issuerKey: nameKey(issuer),
    subjectKey: nameKey(subject),
    notBefore: certificateTime(notBefore),
    notAfter: certificateTime(notAfter),
    key,
    ...parseExtensions(extensions),
  }
}

type Extensions = Pick<
  Certificate,
  'isCa' | 'pathLength' | 'keyUsage' | 'extendedKeyUsage' | 'otherNames' | 'unknownCritical'
>

function parseExtensions(explicit: DerElement | undefined): Extensions {
  const found = new Map<string, { readonly critical: boolean; readonly value: DerElement }>()
  let unknownCritical: string | undefined
  const list = explicit === undefined ? [] : new DerReader(onlyChild(explicit, WHAT), WHAT).rest()
  for (const element of list) {
    const reader = new DerReader(element, WHAT)
    const oid = oidOf(reader.take(TAG.oid, 'extension'))
    const critical = reader.option(TAG.boolean)?.content[0] === 0xff
    const { content } = reader.take(TAG.octetString, 'extension')
    reader.end()
    if (found.has(oid)) timeStampMalformed(`${WHAT} has an extension twice`)
    const isKnown = (Object.values(EXTENSION) as string[]).includes(oid)
    if (isKnown) found.set(oid, { critical, value: parseDer(content, WHAT) })
    else if (critical) unknownCritical ??= oid
  }
  const usage = found.get(EXTENSION.keyUsage)?.value
  const purposes = found.get(EXTENSION.extendedKeyUsage)
  const names = found.get(EXTENSION.otherNames)?.value
  return {
    ...parseBasicConstraints(found.get(EXTENSION.basicConstraints)?.value),
    keyUsage: usage === undefined ? undefined : parseKeyUsage(usage),
    extendedKeyUsage:
      purposes === undefined
        ? undefined
        : { critical: purposes.critical, purposes: parsePurposes(purposes.value) },
    otherNames: names === undefined ? [] : new DerReader(names, WHAT).rest().map(({ bytes }) => bytes),
    unknownCritical,
  }
}

function parseBasicConstraints(value: DerElement | undefined): Pick<Extensions, 'isCa' | 'pathLength'> {
  if (value === undefined) return { isCa: undefined, pathLength: undefined }
  const reader = new DerReader(value, WHAT)
  const isCa = reader.option(TAG.boolean)?.content[0] === 0xff
  const length = reader.option(TAG.integer)
  reader.end()
  return { isCa, pathLength: length === undefined ? undefined : smallInteger(length, 'a path length') }
}

function parseKeyUsage({ tag, content }: DerElement): number {
  const [unused, first] = content
  if (tag !== TAG.bitString || unused === undefined || first === undefined || content.length > 3)
    return timeStampMalformed(`${WHAT} has a malformed key usage`)
  return first * 256 + (content[2] ?? 0)
}

function parsePurposes(value: DerElement): readonly string[] {
  const purposes = new DerReader(value, WHAT).rest()
  return purposes.map((element) =>
    element.tag === TAG.oid ? oidOf(element) : timeStampMalformed(`${WHAT} has a malformed purpose`),
  )
}

const NAME = 'a name'
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'

/**
 * The common name in the subject of a certificate, or the organization, for people. Undefined if it has neither.
 */
export function certificateName(name: Uint8Array): string | undefined {
  const found = new Map<string, string>()
  for (const set of childrenOf(parseDer(name, NAME), NAME))
    for (const attribute of childrenOf(set, NAME)) {
      const [type, value] = childrenOf(attribute, NAME)
      const text = value === undefined ? undefined : textOf(value)
      if (type?.tag === TAG.oid && text !== undefined) found.set(oidOf(type), text)
    }
  const text = found.get(COMMON_NAME) ?? found.get(ORGANIZATION)
  return text?.replaceAll(new RegExp(`[${HIDDEN}]`, 'g'), '�')
}

/**
 * Names with the same text have the same key (RFC 5280, section 7.1), whatever the type of its strings, case of ASCII
 * letters and number of spaces: authorities write names again with other types.
 */
export function nameKey(name: DerElement): string {
  const sets = childrenOf(name, NAME).map((set) => attributesOf(set).map(attributeKey).toSorted())
  return JSON.stringify(sets)
}

const attributesOf = (set: DerElement): readonly DerElement[] =>
  set.tag === TAG.set ? childrenOf(set, NAME) : [set]

function attributeKey(attribute: DerElement): string {
  const [type, value, ...others] = attribute.tag === TAG.sequence ? childrenOf(attribute, NAME) : []
  const text = value === undefined || others.length > 0 ? undefined : textOf(value)
  if (type === undefined || text === undefined) return hex(attribute.bytes)
  const folded = text.replaceAll(/[\t-\r ]+/g, ' ').replaceAll(/^ | $/g, '')
  return `${hex(type.bytes)} ${folded.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())}`
}

function textOf({ tag, content }: DerElement): string | undefined {
  if (tag === 0x0c) return fromUtf8(content)
  // PrintableString, TeletexString (read as Latin-1), IA5String, VisibleString
  if (tag === 0x13 || tag === 0x14 || tag === 0x16 || tag === 0x1a)
    return Array.from(content, (byte) => String.fromCharCode(byte)).join('')
  if (tag !== 0x1e || content.length % 2 !== 0) return undefined
  const units = Array.from(
    { length: content.length / 2 },
    (_, at) => content[2 * at]! * 256 + content[2 * at + 1]!,
  )
  return String.fromCharCode(...units)
}

const CERTIFICATES_LIMIT_BYTES = 10_000_000

/**
 * Parses the certificates of a reader: PEM, with any text around the certificates, or one certificate in DER. Those
 * that are not supported are left out, unless all are. Throws TimeStampFormatError.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { parseCertificates } from '@kitseal/kit'
 *
 * assert.equal(parseCertificates(readFileSync('tsa-roots.pem')).length, 1)
 * ```
 */
export function parseCertificates(bytes: Uint8Array): readonly Certificate[] {
  if (bytes.length > CERTIFICATES_LIMIT_BYTES)
    timeStampMalformed(`the certificates are larger than ${CERTIFICATES_LIMIT_BYTES} bytes`)
  if (bytes[0] === 0x30) return [parseCertificate(bytes)]
  const text = fromUtf8(bytes) ?? timeStampMalformed('the certificates are neither PEM nor DER')
  const blocks = text.split(/^-----BEGIN CERTIFICATE-----[ \t\r]*$/m).slice(1)
  if (blocks.length === 0)
    timeStampMalformed('there is no certificate in PEM: expected -----BEGIN CERTIFICATE-----')
  const certificates = blocks.map((block, at) => {
    const end = /^-----END CERTIFICATE-----[ \t\r]*$/m.exec(block)
    const der = end === null ? undefined : fromBase64(block.slice(0, end.index).replaceAll(/\s/g, ''))
    if (der === undefined) return timeStampMalformed(`certificate ${at + 1} is not valid PEM`)
    return der
  })
  const usable = certificates.flatMap((der) => undefinedIfMalformed(() => parseCertificate(der)) ?? [])
  // Collections of roots have some with other keys or algorithms. If there is no other, this says why.
  return usable.length > 0 ? usable : certificates.map(parseCertificate)
}
