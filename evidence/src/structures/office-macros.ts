import { SaxesParser } from 'saxes'
import { type EntryPlatform, type OpenArchive, readSmallEntry } from '../archives/open-archive.ts'
import { byteOrderMark } from '../detect/text-encoding.ts'
import { SMALL_BYTES } from '../limits.ts'

/** A row of [Content_Types].xml: the type of one part, or the default for an extension. */
export interface TypedPart {
  readonly part: string
  readonly type: string
  readonly isDefault: boolean
}

export function isMacroPart(name: string): boolean {
  return /(?:^|\/)(?:vbaProject[^/]*\.bin|vbaData[^/]*\.xml|macrosheets\/|intlMacrosheets\/|dialogsheets\/)/i.test(
    name,
  )
}

// A binary workbook has "macroEnabled" in its type even without macros.
const MACRO_TYPE = /(?<!sheet\.binary\.)macroEnabled|vbaProject|vbaData|macrosheet/i
const MACRO_RELATION = /\/(?:vbaProject|wordVbaData|xlMacrosheet|xlIntlMacrosheet)[^/]*$/i

/** A part with the content type of a macro, whatever its name is. */
export function macroPartByType(names: ReadonlySet<string>, parts: readonly TypedPart[]): string | undefined {
  const single = parts.find(({ type, isDefault }) => !isDefault && MACRO_TYPE.test(type))
  // Programs leave unused defaults behind, so a default only counts if a part has its extension.
  return single?.part ?? partsOfType(names, parts, MACRO_TYPE)[0]
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

/** Searches the relationships of the main parts for a macro. */
export async function findMacroRelation(
  archive: OpenArchive,
  mains: readonly string[],
  platform: EntryPlatform,
): Promise<{ readonly macro?: string; readonly unreadable?: string }> {
  const wanted = new Set(mains.map(relationsPath))
  for (const { name } of archive.entries) {
    if (!wanted.has(name.toLowerCase())) continue
    const bytes = await readSmallEntry(archive, name, SMALL_BYTES, platform)
    const tags = bytes === undefined ? undefined : xmlTags(bytes)
    if (tags === undefined) return { unreadable: name }
    const relation = tags.find(({ attributes }) => MACRO_RELATION.test(attributes['Type'] ?? ''))
    if (relation !== undefined) return { macro: relation.attributes['Target'] ?? name }
  }
  return {}
}

/** `word/document.xml` → `word/_rels/document.xml.rels` */
function relationsPath(part: string): string {
  const at = part.lastIndexOf('/') + 1
  return `${part.slice(0, at)}_rels/${part.slice(at)}.rels`.toLowerCase()
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
    const text = new TextDecoder(byteOrderMark(bytes) ?? 'utf-8', { fatal: true }).decode(bytes)
    parser.write(text).close()
  } catch {
    return undefined
  }
  return isBroken ? undefined : tags
}
