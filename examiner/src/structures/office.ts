import { type OpenArchive, readSmallEntry } from '../archives/open-archive.ts'
import type { Platform } from '../platform/platform.ts'
import { utf16Encoding } from '../detect/text-encoding.ts'
import { SMALL_BYTES } from '../limits.ts'
import { type Finding, detailOf } from '../rules.ts'
import { officeXmlCheck } from '../text/office-xml.ts'
import type { InnerFile } from './structure.ts'
import { SaxesParser } from 'saxes'

export interface OfficeFile {
  /** The id of its type. */
  readonly type: string
  readonly findings: readonly Finding[]
  /** How a part is contained and read. */
  readonly part: (name: string) => Pick<InnerFile, 'as' | 'checkText'>
}

/** Parts of an Office file. Their XML is searched for what fetches or runs something. */
const partsOf =
  (type: string): OfficeFile['part'] =>
  (name) => ({ as: 'part', checkText: officeXmlCheck(type, name) })
/** Files in a package such as an e-book. */
export const packageEntry: OfficeFile['part'] = () => ({ as: 'package' })

const MAIN_PARTS: readonly (readonly [contentType: RegExp, type: string])[] = [
  [/wordprocessingml\.document\.main\+xml$/, 'docx'],
  [/spreadsheetml\.sheet\.main\+xml$/, 'xlsx'],
  [/presentationml\.presentation\.main\+xml$/, 'pptx'],
]

const VISIO = /visio\.drawing\.main\+xml$/
const BINARY_WORKBOOK = /sheet\.binary\.macroEnabled\.main$/

const OPEN_DOCUMENT: Readonly<Record<string, string>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.graphics': 'odg',
}

/** Undefined for an ordinary archive. */
export async function detectOfficeFile(
  archive: OpenArchive,
  platform: Pick<Platform, 'host'>,
): Promise<OfficeFile | undefined> {
  const names = new Set(archive.entries.map(({ name }) => name))
  if (names.has('[Content_Types].xml')) return readOpenXml(archive, names, platform)
  // It should be the first entry, but not every program does that.
  const isMarked = archive.entries[0]?.name === 'mimetype' || names.has('META-INF/manifest.xml')
  if (names.has('mimetype') && isMarked) return readOpenDocument(archive, names, platform)
  return undefined
}

async function readOpenXml(
  archive: OpenArchive,
  names: ReadonlySet<string>,
  platform: Pick<Platform, 'host'>,
): Promise<OfficeFile | undefined> {
  const bytes = await readSmallEntry(archive, '[Content_Types].xml', SMALL_BYTES, platform)
  const parts = bytes === undefined ? undefined : contentTypes(bytes)
  if (parts === undefined) {
    const detail = detailOf('detail.badList')
    return { type: 'ooxml', findings: [{ code: 'malformed_office', detail }], part: partsOf('ooxml') }
  }
  const findings: Finding[] = macroParts(names, parts).map((name) => ({
    code: 'macros',
    detail: detailOf('detail.macrosIn', { name }),
  }))
  if ([...names].some((name) => /(?:^|\/)activeX\/[^/]+$/i.test(name)))
    findings.push({ code: 'active_content', detail: detailOf('detail.activeX') })
  for (const [contentType, type] of MAIN_PARTS) {
    const main = parts.find((part) => contentType.test(part.type))
    if (main === undefined) continue
    if (partsOfType(names, parts, contentType).length === 0 || !names.has('_rels/.rels')) {
      findings.push({ code: 'malformed_office', detail: detailOf('detail.lacksRels', { part: main.part }) })
    }
    return { type, findings, part: partsOf(type) }
  }
  if (partsOfType(names, parts, BINARY_WORKBOOK).length > 0)
    return { type: 'xlsb', findings, part: partsOf('xlsx') }
  const type = parts.some((part) => VISIO.test(part.type)) ? 'vsdx' : 'ooxml'
  return { type, findings, part: partsOf(type) }
}

async function readOpenDocument(
  archive: OpenArchive,
  names: ReadonlySet<string>,
  platform: Pick<Platform, 'host'>,
): Promise<OfficeFile | undefined> {
  const bytes = await readSmallEntry(archive, 'mimetype', 200, platform)
  const mediaType = bytes === undefined ? '' : new TextDecoder().decode(bytes).trim()
  if (mediaType === 'application/epub+zip') return { type: 'epub', findings: [], part: packageEntry }
  // Another kind of archive, or an ordinary file that happens to have this name.
  if (!mediaType.startsWith('application/vnd.oasis.opendocument.')) return undefined
  const findings: Finding[] = []
  const module = [...names].find((name) => BASIC.test(name) && !LIBRARY.test(name) && !name.endsWith('/'))
  if (module !== undefined)
    findings.push({ code: 'macros', detail: detailOf('detail.macrosIn', { name: module }) })
  const manifest = await readSmallEntry(archive, 'META-INF/manifest.xml', SMALL_BYTES, platform)
  if (manifest !== undefined && /encryption-data[\s>]/.test(xmlText(manifest))) {
    findings.push({ code: 'encrypted_office', detail: detailOf('detail.manifestSays') })
  } else if (!names.has('content.xml') || manifest === undefined) {
    findings.push({ code: 'malformed_office', detail: detailOf('detail.lacksContent') })
  }
  return { type: OPEN_DOCUMENT[mediaType] ?? 'odf', findings, part: partsOf('odf') }
}

/** Lists of libraries and dialogs, which are there without macros, too. */
const LIBRARY = /(?:^|\/)(?:script|dialog)-l[bc]\.xml$/
const BASIC = /^(?:Basic|Scripts)\/./i

/** Office Open XML may be in UTF-16. */
export const xmlText = (bytes: Uint8Array, fatal = false): string =>
  new TextDecoder(utf16Encoding(bytes) ?? 'utf-8', { fatal }).decode(bytes)

/** A row of [Content_Types].xml: the type of one part, or the default for an extension. */
interface TypedPart {
  readonly part: string
  readonly type: string
  readonly isDefault: boolean
}

const VBA_PART = /(?:^|\/)vbaProject(?!Signature)[^/]*\.bin$/i
const MACRO_SHEET = /(?:^|\/)(?:intl)?macrosheets\/[^/]+$/i
const VBA_TYPE = /vbaProject$/i
const MACRO_SHEET_TYPE = /macrosheet(?:\+xml)?$/i

/** The parts that programs read macros from, by name or by a type of their own. Relationships are read with the other parts. */
function macroParts(names: ReadonlySet<string>, parts: readonly TypedPart[]): readonly string[] {
  // Programs leave unused defaults behind, and other parts have their extension.
  const own = parts.filter(({ isDefault }) => !isDefault)
  const all = (name: RegExp, type: RegExp): readonly string[] => {
    const typed = new Set(partsOfType(names, own, type))
    return [...names].filter((one) => name.test(one) || typed.has(one))
  }
  return [...new Set([...all(VBA_PART, VBA_TYPE), ...all(MACRO_SHEET, MACRO_SHEET_TYPE)])]
}

/** The existing parts with a matching type, by their own row or by default. Names are case-insensitive. */
function partsOfType(
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

/** Undefined if the list is damaged. */
function contentTypes(bytes: Uint8Array): readonly TypedPart[] | undefined {
  const parts: TypedPart[] = []
  let isBroken = false
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', () => (isBroken = true))
  parser.on('opentag', ({ name, attributes }) => {
    const part = attributes['PartName'] ?? attributes['Extension']
    const type = attributes['ContentType']
    if (/(?:^|:)(?:Override|Default)$/.test(name) && part !== undefined && type !== undefined)
      parts.push({ part, type, isDefault: name.endsWith('Default') })
  })
  try {
    parser.write(xmlText(bytes, true)).close()
  } catch {
    return undefined
  }
  return isBroken ? undefined : parts
}
