import { fromUtf8, sameBytes } from '../encoding/utf8.ts'
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
import { certificateTime } from './der-time.ts'
import { type CertificateKey, parsePublicKey } from './public-key.ts'
import { type NamedAlgorithm, parseSignatureAlgorithm } from './signature-algorithm.ts'
import { timeStampMalformed } from './time-stamp-format.ts'

/** What a chain of certificates depends on (RFC 5280). */
export interface Certificate {
  readonly bytes: Uint8Array
  /** The part that is signed. */
  readonly signed: Uint8Array
  readonly algorithm: NamedAlgorithm
  readonly signature: Uint8Array
  readonly serial: Uint8Array
  /** Names in DER. They are compared byte by byte. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly notBefore: number
  readonly notAfter: number
  readonly key: CertificateKey
  readonly isCa: boolean
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

/** Parses an X.509 certificate of version 3. Throws TimeStampFormatError. */
export function parseCertificate(bytes: Uint8Array): Certificate {
  const outer = new DerReader(parseDer(bytes, WHAT), WHAT)
  const signed = outer.take(TAG.sequence, 'signed part')
  const algorithm = outer.take(TAG.sequence, 'algorithm')
  const signature = outer.take(TAG.bitString, 'signature')
  outer.end()
  if (signature.content[0] !== 0) timeStampMalformed(`${WHAT} has a signature that is not whole bytes`)
  const reader = new DerReader(signed, WHAT)
  const version = onlyChild(reader.take(0xa0, 'version'), WHAT)
  if (version.tag !== TAG.integer || smallInteger(version, 'a version') !== 2)
    timeStampMalformed(`${WHAT} is not of version 3`)
  const serial = reader.take(TAG.integer, 'serial number').content
  if (!sameBytes(reader.take(TAG.sequence, 'algorithm').bytes, algorithm.bytes))
    timeStampMalformed(`${WHAT} names two signature algorithms`)
  const issuer = reader.take(TAG.sequence, 'issuer').bytes
  const validity = childrenOf(reader.take(TAG.sequence, 'validity'), WHAT)
  const [notBefore, notAfter] = validity
  if (notBefore === undefined || notAfter === undefined || validity.length > 2)
    return timeStampMalformed(`${WHAT} has no validity`)
  const subject = reader.take(TAG.sequence, 'subject').bytes
  const key = parsePublicKey(reader.take(TAG.sequence, 'public key'))
  reader.option(0x81)
  reader.option(0x82)
  const extensions = reader.option(0xa3)
  reader.end()
  return {
    bytes,
    signed: signed.bytes,
    algorithm: parseSignatureAlgorithm(algorithm, 'the signature algorithm of a certificate'),
    signature: signature.content.subarray(1),
    serial,
    issuer,
    subject,
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
  if (value === undefined) return { isCa: false, pathLength: undefined }
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

const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const TEXT_TAGS = new Set([0x0c, 0x13, 0x14, 0x16])

/**
 * The common name in the subject of a certificate, or the organization, for people. Undefined if it has neither.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { certificateName, parseCertificates } from '@kitseal/kit'
 *
 * const [root] = parseCertificates(readFileSync('tsa-roots.pem'))
 * assert.equal(certificateName(root!.subject), 'Time root')
 * ```
 */
export function certificateName(name: Uint8Array): string | undefined {
  const found = new Map<string, string>()
  for (const set of childrenOf(parseDer(name, 'a name'), 'a name'))
    for (const attribute of childrenOf(set, 'a name')) {
      const [type, value] = childrenOf(attribute, 'a name')
      const text = value !== undefined && TEXT_TAGS.has(value.tag) ? fromUtf8(value.content) : undefined
      if (type?.tag === TAG.oid && text !== undefined) found.set(oidOf(type), text)
    }
  const text = found.get(COMMON_NAME) ?? found.get(ORGANIZATION)
  // eslint-disable-next-line no-control-regex
  return text?.replaceAll(/[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '�')
}
