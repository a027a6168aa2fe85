import { SaxesParser } from 'saxes'
import { utf16Encoding } from '../detect/text-encoding.ts'

/** A row of [Content_Types].xml: the type of one part, or the default for an extension. */
export interface TypedPart {
  readonly part: string
  readonly type: string
  readonly isDefault: boolean
}

const VBA_PART = /(?:^|\/)vbaProject(?!Signature)[^/]*\.bin$/i
const MACRO_SHEET = /(?:^|\/)(?:intl)?macrosheets\/[^/]+$/i
const VBA_TYPE = /vbaProject$/i
const MACRO_SHEET_TYPE = /macrosheet(?:\+xml)?$/i

/** The parts that programs read macros from, by name or by a type of their own. Relationships are read with the other parts. */
export function macroParts(names: ReadonlySet<string>, parts: readonly TypedPart[]): readonly string[] {
  // Programs leave unused defaults behind, and other parts have their extension.
  const own = parts.filter(({ isDefault }) => !isDefault)
  const all = (name: RegExp, type: RegExp): readonly string[] => {
    const typed = new Set(partsOfType(names, own, type))
    return [...names].filter((one) => name.test(one) || typed.has(one))
  }
  return [...new Set([...all(VBA_PART, VBA_TYPE), ...all(MACRO_SHEET, MACRO_SHEET_TYPE)])]
}

/** The existing parts with a matching type, by their own row or by default. Names are case-insensitive. */
export function partsOfType(
  names: ReadonlySet<string>,
  parts: readonly TypedPart[],
  type: RegExp,
): readonly string[] {
  const singles = parts.filter(({ isDefault }) => !isDefault)
  const ofType = parts.filter((part) => type.test(part.type))
  const named = new Set(ofType.filter(({ isDefault }) => !isDefault).map(({ part }) => nameOf(part)))
  const endings = new Set(ofType.filter(({ isDefault }) => isDefault).map(({ part }) => part.toLowerCase()))
  const others = new Set([...singles.map(({ part }) => nameOf(part)), '[content_types].xml'])
  return [...names].filter((name) => {
    const lower = name.toLowerCase()
    return named.has(lower) || (!others.has(lower) && endings.has(lower.slice(lower.lastIndexOf('.') + 1)))
  })
}

function nameOf(part: string): string {
  return part.replace(/^\//, '').toLowerCase()
}

export function contentTypes(bytes: Uint8Array): readonly TypedPart[] | undefined {
  return xmlTags(bytes)?.flatMap(({ name, attributes }) => {
    const part = attributes['PartName'] ?? attributes['Extension']
    const type = attributes['ContentType']
    if (!/(?:^|:)(?:Override|Default)$/.test(name) || part === undefined || type === undefined) return []
    return [{ part, type, isDefault: name.endsWith('Default') }]
  })
}

interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

function xmlTags(bytes: Uint8Array): readonly Tag[] | undefined {
  const tags: Tag[] = []
  let isBroken = false
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', () => (isBroken = true))
  parser.on('opentag', ({ name, attributes }) => tags.push({ name, attributes }))
  try {
    // Office Open XML may be in UTF-16.
    const text = new TextDecoder(utf16Encoding(bytes) ?? 'utf-8', { fatal: true }).decode(bytes)
    parser.write(text).close()
  } catch {
    return undefined
  }
  return isBroken ? undefined : tags
}
