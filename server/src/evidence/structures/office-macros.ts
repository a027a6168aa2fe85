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

const MACRO_TYPE = /macroEnabled|vbaProject|vbaData|macrosheet/i
const MACRO_RELATION = /\/(?:vbaProject|wordVbaData|xlMacrosheet|xlIntlMacrosheet)[^/]*$/i

/** The part that its content type calls a macro, whatever its name is. */
export function macroTyped(names: ReadonlySet<string>, parts: readonly TypedPart[]): string | undefined {
  const macros = parts.filter(({ type }) => MACRO_TYPE.test(type))
  const single = macros.find(({ isDefault }) => !isDefault)
  if (single !== undefined || macros.length === 0) return single?.part
  // A default counts where there is a part that it is about: programs leave unused ones behind.
  const others = new Set(parts.filter((one) => !one.isDefault).map(({ part }) => part.toLowerCase()))
  const endings = macros.map(({ part }) => `.${part.toLowerCase()}`)
  return [...names].find((name) => {
    const lower = name.toLowerCase()
    return !others.has(`/${lower}`) && endings.some((ending) => lower.endsWith(ending))
  })
}

/** The part that the relationships of a main part call a macro; and what of them cannot be read. */
export async function macroRelation(
  archive: OpenArchive,
  parts: readonly TypedPart[],
  reader: Pick<Surroundings, 'host' | 'inflate'>,
): Promise<{ readonly macro?: string; readonly unreadable?: string }> {
  const mains = parts.filter(({ type, isDefault }) => !isDefault && /main\+xml$/i.test(type))
  const wanted = new Set(mains.map(({ part }) => relationsOf(part)))
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

/** `/word/document.xml`: `word/_rels/document.xml.rels`. Names of parts are the same in capitals. */
function relationsOf(part: string): string {
  const at = part.lastIndexOf('/')
  return `${part.slice(0, at)}/_rels/${part.slice(at + 1)}.rels`.replace(/^\//, '').toLowerCase()
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
