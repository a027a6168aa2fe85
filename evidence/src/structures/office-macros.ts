import { SaxesParser } from 'saxes'
import { type OpenArchive, readPart } from '../archive.ts'
import { SMALL_BYTES } from '../limits.ts'
import type { Surroundings } from '../surroundings.ts'

/** What [Content_Types].xml says: of one part, or of all whose names end so. */
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

// A binary workbook is called so whether it holds macros or not.
const MACRO_TYPE = /(?<!sheet\.binary\.)macroEnabled|vbaProject|vbaData|macrosheet/i
const MACRO_RELATION = /\/(?:vbaProject|wordVbaData|xlMacrosheet|xlIntlMacrosheet)[^/]*$/i

/** The part that its content type calls a macro, whatever its name is. */
export function macroTyped(names: ReadonlySet<string>, parts: readonly TypedPart[]): string | undefined {
  const single = parts.find(({ type, isDefault }) => !isDefault && MACRO_TYPE.test(type))
  // A default counts where there is a part that it is about: programs leave unused ones behind.
  return single?.part ?? partsOfType(names, parts, MACRO_TYPE)[0]
}

/** The parts that are there and have such a type: by their name, or by how it ends. Letters of either case are one. */
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

/** The part that the relationships of a main part call a macro; and what of them cannot be read. */
export async function macroRelation(
  archive: OpenArchive,
  mains: readonly string[],
  reader: Pick<Surroundings, 'host' | 'inflate'>,
): Promise<{ readonly macro?: string; readonly unreadable?: string }> {
  const wanted = new Set(mains.map(relationsOf))
  for (const { name } of archive.entries) {
    if (!wanted.has(name.toLowerCase())) continue
    const bytes = await readPart(archive, name, SMALL_BYTES, reader)
    const tags = bytes === undefined ? undefined : xmlTags(bytes)
    if (tags === undefined) return { unreadable: name }
    const relation = tags.find(({ attributes }) => MACRO_RELATION.test(attributes['Type'] ?? ''))
    if (relation !== undefined) return { macro: relation.attributes['Target'] ?? name }
  }
  return {}
}

/** `word/document.xml`: `word/_rels/document.xml.rels`. */
function relationsOf(part: string): string {
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
    parser.write(decoded(bytes)).close()
  } catch {
    return undefined
  }
  return isBroken ? undefined : tags
}

/** Office Open XML may be in UTF-16 as well. */
function decoded(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding, { fatal: true }).decode(bytes)
}
