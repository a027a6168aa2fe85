import { type OpenArchive, readPart } from '../archive.ts'
import type { TypeId } from '../file-types.ts'
import { SMALL_BYTES } from '../limits.ts'
import type { Finding } from '../rules.ts'
import type { Surroundings } from '../surroundings.ts'
import { contentTypes, isMacroPart, macroRelation, macroTyped, partsOfType } from './office-macros.ts'

export interface OfficeFile {
  readonly type: TypeId | undefined
  /** What it is where it is not one of the supported types. */
  readonly seen?: string
  readonly findings: readonly Finding[]
}

type Reader = Pick<Surroundings, 'host' | 'inflate'>

const MAIN_PARTS: readonly (readonly [contentType: RegExp, type: TypeId])[] = [
  [/wordprocessingml\.document\.main\+xml$/, 'docx'],
  [/spreadsheetml\.sheet\.main\+xml$/, 'xlsx'],
  [/presentationml\.presentation\.main\+xml$/, 'pptx'],
]

const BINARY_WORKBOOK = /sheet\.binary\.macroEnabled\.main$/

const OPEN_DOCUMENT: Readonly<Record<string, TypeId>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
}

/** Undefined where the archive is no office file but an archive like any other. */
export async function tellOfficeFile(archive: OpenArchive, reader: Reader): Promise<OfficeFile | undefined> {
  const names = new Set(archive.entries.map(({ name }) => name))
  if (names.has('[Content_Types].xml')) return tellOpenXml(archive, names, reader)
  // Not every program puts it first, as it should.
  const isMarked = archive.entries[0]?.name === 'mimetype' || names.has('META-INF/manifest.xml')
  if (names.has('mimetype') && isMarked) return tellOpenDocument(archive, names, reader)
  return undefined
}

async function tellOpenXml(
  archive: OpenArchive,
  names: ReadonlySet<string>,
  reader: Reader,
): Promise<OfficeFile | undefined> {
  const bytes = await readPart(archive, '[Content_Types].xml', SMALL_BYTES, reader)
  const parts = bytes === undefined ? undefined : contentTypes(bytes)
  if (parts === undefined) {
    return {
      type: undefined,
      findings: [{ code: 'malformed_office', seen: 'its list of parts cannot be read' }],
    }
  }
  const findings: Finding[] = []
  const relations = await macroRelation(archive, partsOfType(names, parts, /main\+xml$/i), reader)
  const macro = [...names].find(isMacroPart) ?? macroTyped(names, parts) ?? relations.macro
  if (macro !== undefined) findings.push({ code: 'macros', seen: `they are in ${macro}` })
  if (relations.unreadable !== undefined) {
    findings.push({ code: 'malformed_office', seen: `the part ${relations.unreadable} cannot be read` })
  }
  for (const [contentType, type] of MAIN_PARTS) {
    const main = parts.find((part) => contentType.test(part.type))
    if (main === undefined) continue
    if (partsOfType(names, parts, contentType).length === 0 || !names.has('_rels/.rels')) {
      findings.push({ code: 'malformed_office', seen: `it lacks ${main.part} or _rels/.rels` })
    }
    return { type, findings }
  }
  if (partsOfType(names, parts, BINARY_WORKBOOK).length > 0) {
    return { type: undefined, seen: 'a binary Excel workbook (XLSB); save it as XLSX', findings }
  }
  // A macro-enabled document has a main part of a type of its own.
  return { type: undefined, seen: 'another kind of Office Open XML file', findings }
}

async function tellOpenDocument(
  archive: OpenArchive,
  names: ReadonlySet<string>,
  reader: Reader,
): Promise<OfficeFile | undefined> {
  const bytes = await readPart(archive, 'mimetype', 200, reader)
  const mediaType = bytes === undefined ? '' : new TextDecoder().decode(bytes).trim()
  // A file that only happens to be called so.
  if (!/^application\/[\w.+-]+$/.test(mediaType)) return undefined
  const type = OPEN_DOCUMENT[mediaType]
  if (type === undefined) return { type, seen: mediaType, findings: [] }
  const findings: Finding[] = []
  const macro = [...names].find((name) => /^(?:Basic|Scripts)\/./.test(name))
  if (macro !== undefined) findings.push({ code: 'macros', seen: `they are in ${macro}` })
  const manifest = await readPart(archive, 'META-INF/manifest.xml', SMALL_BYTES, reader)
  if (manifest !== undefined && /encryption-data[\s>]/.test(new TextDecoder().decode(manifest))) {
    findings.push({ code: 'encrypted_office', seen: 'its manifest says so' })
  } else if (!names.has('content.xml') || manifest === undefined) {
    findings.push({ code: 'malformed_office', seen: 'it lacks content.xml or META-INF/manifest.xml' })
  }
  return { type, findings }
}
