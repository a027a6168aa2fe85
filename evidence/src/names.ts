import { collisionKey, pathProblem, type ZipEntry } from '@kitseal/kit'
import type { Finding } from './rules.ts'

/** Where evidence stands in a kit. */
export const DATA_FOLDER = 'data/'

/** The name of a file as a path: in the normalization form that kits use. macOS hands out the other one. */
export function normalized(name: string): string {
  return name.normalize('NFC')
}

/** The path of what is in an archive: some tools put "./" before each name. */
export function entryPath({ name, isFolder }: Pick<ZipEntry, 'name' | 'isFolder'>): string {
  const path = name.replace(/^\.\//, '')
  return normalized(isFolder ? path.replace(/\/$/, '') : path)
}

/** What is wrong with a name. It has been normalized already. */
export function nameFindings(name: string): readonly Finding[] {
  return [placeFinding(name), directionFinding(name)].flatMap((finding) => finding ?? [])
}

/** Where the name leads, and whether every system has such names. */
function placeFinding(name: string): Finding | undefined {
  const parts = name.split(/[\\/]/)
  if (parts.includes('..')) return { code: 'name_traversal' }
  if (/^[\\/]/.test(name) || /^[A-Za-z]:/.test(name)) return { code: 'name_absolute' }
  if (name.includes('\\')) return { code: 'name_backslash' }
  const problem = pathProblem(DATA_FOLDER + name)
  return problem === undefined ? undefined : { code: 'name_forbidden', seen: `it ${problem}` }
}

const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu
/** From left to right, or as its own letters go, and ended again: so programs write a name into another one. */
const HARMLESS_TURN =
  /\u202a[^\u202a-\u202e\u2066-\u2069/]*\u202c|[\u2066\u2068][^\u202a-\u202e\u2066-\u2069/]*\u2069/gu

/** Behind U+202E, `gpj.exe` reads `exe.jpg`. A turn that is not ended goes on in whatever is shown behind the name. */
function directionFinding(name: string): Finding | undefined {
  const marks = name.replaceAll(HARMLESS_TURN, '').match(TURNS)
  return marks === null ? undefined : { code: 'name_direction', seen: `it holds ${codePoints(marks)}` }
}

/** Characters that take no room of their own: a name with them looks like the one without. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/** For the report of a file: what became of its name, and what nobody sees of it. */
export function nameNotes(supplied: string): readonly string[] {
  const notes: string[] = []
  if (normalized(supplied) !== supplied) notes.push('its name was brought into Unicode normalization form C')
  const unseen = supplied.match(UNSEEN)
  if (unseen !== null) notes.push(`its name holds characters that do not show: ${codePoints(unseen)}`)
  return notes
}

function codePoints(characters: readonly string[]): string {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  return [...new Set(codes)].map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`).join(', ')
}

/**
 * Two names with one key are one file to some reader. Wider than what a kit is held to: full case folding makes "ss" of
 * "ß" and "fi" of "ﬁ", and no kit is to be issued that some readers refuse. What takes no room counts for nothing: macOS
 * has volumes on which it does not, and nobody can tell such names apart.
 */
export function nameKey(name: string): string {
  const key = collisionKey(name.replaceAll(UNSEEN, ''))
  return /^[\x20-\x7e]*$/.test(key) ? key : key.toUpperCase().toLowerCase().normalize('NFC')
}

/** The same of what is in an archive. "./" is the folder that was packed. */
export function entryFindings(entry: Pick<ZipEntry, 'name' | 'isFolder'>): readonly Finding[] {
  return entry.name === './' ? [] : nameFindings(entryPath(entry))
}

/** What operating systems and office programs leave in folders on their own account. */
export function isLitter(name: string): boolean {
  const parts = name.split('/')
  const last = parts.at(-1) ?? ''
  return parts[0] === '__MACOSX' || LITTER.has(last.toLowerCase()) || /^(?:\._|~\$|\.~lock\.)/.test(last)
}

const LITTER = new Set(['.ds_store', 'icon\r', 'thumbs.db', 'ehthumbs.db', 'desktop.ini'])
