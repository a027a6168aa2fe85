import { hex } from '../encoding/hex.ts'
import { fromUtf8 } from '../encoding/utf8.ts'
import { childrenOf, type DerElement, oidOf, parseDer, TAG } from './der.ts'

const WHAT = 'a name'
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const TEXT_TAGS = new Set([0x0c, 0x13, 0x14, 0x16])

/**
 * The common name in the subject of a certificate, or the organization, for people. Undefined if it has neither.
 */
export function certificateName(name: Uint8Array): string | undefined {
  const found = new Map<string, string>()
  for (const set of childrenOf(parseDer(name, WHAT), WHAT))
    for (const attribute of childrenOf(set, WHAT)) {
      const [type, value] = childrenOf(attribute, WHAT)
      const text = value !== undefined && TEXT_TAGS.has(value.tag) ? fromUtf8(value.content) : undefined
      if (type?.tag === TAG.oid && text !== undefined) found.set(oidOf(type), text)
    }
  const text = found.get(COMMON_NAME) ?? found.get(ORGANIZATION)
  // eslint-disable-next-line no-control-regex
  return text?.replaceAll(/[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '�')
}

/**
 * Names with the same text have the same key (RFC 5280, section 7.1), whatever the type of its strings, case of ASCII
 * letters and number of spaces: authorities write names again with other types.
 */
export function nameKey(name: DerElement): string {
  const sets = childrenOf(name, WHAT).map((set) => attributesOf(set).map(attributeKey).toSorted())
  return JSON.stringify(sets)
}

const attributesOf = (set: DerElement): readonly DerElement[] =>
  set.tag === TAG.set ? childrenOf(set, WHAT) : [set]

function attributeKey(attribute: DerElement): string {
  const [type, value, ...others] = attribute.tag === TAG.sequence ? childrenOf(attribute, WHAT) : []
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
