import { collisionKey, hex, INVISIBLE, pathProblem, type ZipEntry } from '@kitseal/kit/internal'
import { executableName } from './detect/programs.ts'
import type { NamedType } from './types/named-types.ts'
import { type Finding, type RuleCode, detailOf } from './rules.ts'

/** The folder of the evidence in a kit. */
export const DATA_FOLDER = 'data/'

type NamedEntry = Pick<ZipEntry, 'name' | 'isFolder'>

/**
 * The name in a kit: in Unicode normalization form C (macOS writes form D), and without dots and spaces at the end of a
 * folder, which Windows drops.
 */
export function normalizeName(name: string): string {
  return name.normalize('NFC').replaceAll(/(?<=[^/. ])[. ]+(?=\/)/g, '')
}

/** The path of an archive entry. Some tools put "./" before each name, or "//" or "\" between folders. */
export function entryPath({ name, isFolder }: NamedEntry): string {
  const separated = name.replaceAll('\\', '/').replace(/^\.\//, '')
  const path = normalizeName(separated.replaceAll(/(?<=[^/])\/(?:\.?\/)+/g, '/'))
  return isFolder ? path.replace(/\/$/, '') : path
}

/** Checks a supplied name. */
export function checkName(supplied: string): readonly Finding[] {
  return findingsOf(supplied, normalizeName(supplied))
}

function findingsOf(supplied: string, name: string): readonly Finding[] {
  const found = [checkPath(name), checkDirection(name)].flatMap((finding) => finding ?? [])
  if (/[^/. ][. ]+\//.test(supplied) && found.length === 0) found.push({ code: 'name_changed' })
  if (/[<>:"|?*]/.test(name) && found.length === 0) found.push({ code: 'name_unportable' })
  return found
}

/** Checks the name of an archive entry. "./" is the packed folder itself. */
export function checkEntryName(entry: Pick<ZipEntry, 'name' | 'isFolder' | 'rawName'>): readonly Finding[] {
  if (entry.name === './') return []
  const found = [...findingsOf(entry.name, entryPath(entry))]
  if (entry.name.includes('\\') && found.every(({ code }) => !ESCAPES.has(code)))
    found.push({ code: 'name_backslash' })
  if (found.length === 0 && /[^/]\/(?:\.?\/)+/.test(entry.name))
    found.push({ code: 'irregular_archive', detail: detailOf('detail.emptyPart') })
  if (entry.rawName === undefined) return found
  const bytes = latin1.decode(entry.rawName)
  // In a code page with two bytes per character, the second one may be a separator in others.
  const escape = checkPath(bytes.replaceAll('\\', '/'))
  if (escape !== undefined && ESCAPES.has(escape.code) && !found.some(({ code }) => ESCAPES.has(code)))
    found.push(escape)
  return [
    ...found,
    { code: 'name_decoded', detail: detailOf('detail.nameBytes', { bytes: hex(entry.rawName) }) },
  ]
}

const ESCAPES = new Set<RuleCode>(['name_traversal', 'name_absolute'])
const latin1 = new TextDecoder('latin1')

/** Checks an entry by its directory record, and what cannot be read of it: an encrypted program may still be run. */
export function checkEntry(entry: ZipEntry, problem: Finding | undefined): readonly Finding[] {
  if (problem === undefined) return checkEntryName(entry)
  const program = problem.code === 'encrypted_archive' ? executableName(entry.name, false) : undefined
  return program === undefined ? [problem] : [problem, program]
}

/** Checks an entry of an archive that is not unpacked, by its directory record alone. */
export function checkUnopenedEntry(
  { name, sizeBytes }: ZipEntry,
  named: readonly NamedType[],
): readonly Finding[] {
  if (sizeBytes === 0) return [emptyFile(named)]
  const finding = executableName(name, false)
  return finding === undefined ? [] : [finding]
}

/** A text may be empty, such as the output of a scanner that found nothing. A PDF may not. */
export function emptyFile(named: readonly NamedType[]): Finding {
  const isText = named.length === 0 || named.some(({ content }) => content === 'text')
  return { code: isText ? 'empty_text' : 'empty_file' }
}

function checkPath(name: string): Finding | undefined {
  const parts = name.split(/[\\/]/)
  if (parts.includes('..')) return { code: 'name_traversal' }
  if (/^[\\/]/.test(name) || /^[A-Za-z]:/.test(name)) return { code: 'name_absolute' }
  if (name.includes('\\')) return { code: 'name_backslash' }
  const problem = pathProblem(DATA_FOLDER + name)
  return problem === undefined ? undefined : { code: 'name_forbidden', detail: `it ${problem}` }
}

const DIRECTION_CONTROLS = new RegExp(`[${INVISIBLE.direction}]`, 'gu')
/** Left-to-right embeddings and isolates that are closed again. Programs insert these when they combine names. */
const HARMLESS_CONTROLS = new RegExp(
  `\\u202a[^${INVISIBLE.direction}/]*\\u202c|[\\u2066\\u2068][^${INVISIBLE.direction}/]*\\u2069`,
  'gu',
)

/** After U+202E, `gpj.exe` displays as `exe.jpg`. An unclosed control also affects the text after the name. */
function checkDirection(name: string): Finding | undefined {
  const controls = name.replaceAll(HARMLESS_CONTROLS, '').match(DIRECTION_CONTROLS)
  return controls === null
    ? undefined
    : { code: 'name_direction', detail: detailOf('detail.contains', { what: codePoints(controls) }) }
}

/** Characters without width: a name looks the same with and without them. */
const WITHOUT_WIDTH = new RegExp(`[${INVISIBLE.withoutWidth}]`, 'gu')

/** Notes on a supplied name, for the report. */
export function nameNotes(supplied: string): readonly string[] {
  const notes: string[] = []
  if (supplied.normalize('NFC') !== supplied) notes.push('name converted to Unicode normalization form C')
  const invisible = supplied.match(WITHOUT_WIDTH)
  if (invisible !== null) notes.push(`name contains invisible characters: ${codePoints(invisible)}`)
  return notes
}

function codePoints(characters: readonly string[]): string {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  return [...new Set(codes)].map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`).join(', ')
}

/**
 * Names with the same key may be the same file on some system. Stricter than the kit format: full case folding maps "ß" to
 * "ss" and "ﬁ" to "fi". Invisible characters are ignored, as some macOS volumes do.
 */
export function nameKey(name: string): string {
  const key = collisionKey(name.replaceAll(WITHOUT_WIDTH, ''))
  return /^[\x20-\x7e]*$/.test(key) ? key : key.toUpperCase().toLowerCase().normalize('NFC')
}

/** Files that operating systems and office programs create on their own, such as .DS_Store. */
export function isSystemFile(name: string): boolean {
  const parts = name.split('/')
  const last = parts.at(-1) ?? ''
  if (executableName(name, true) !== undefined) return false
  return (
    parts[0] === '__MACOSX' || SYSTEM_FILES.has(last.toLowerCase()) || /^(?:\._|~\$|\.~lock\.)/.test(last)
  )
}

const SYSTEM_FILES = new Set(['.ds_store', 'icon\r', 'thumbs.db', 'ehthumbs.db', 'desktop.ini'])
