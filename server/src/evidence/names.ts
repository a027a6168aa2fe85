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

/** What is wrong with a name, or undefined. It has been normalized already. */
export function nameFinding(name: string): Finding | undefined {
  const parts = name.split(/[\\/]/)
  if (parts.includes('..')) return { code: 'name_traversal' }
  if (/^[\\/]/.test(name) || /^[A-Za-z]:/.test(name)) return { code: 'name_absolute' }
  if (name.includes('\\')) return { code: 'name_backslash' }
  const problem = pathProblem(DATA_FOLDER + name)
  return problem === undefined ? undefined : { code: 'name_forbidden', seen: `it ${problem}` }
}

/**
 * Two names with one key are one file to some reader. Wider than what a kit is held to: full case folding makes "ss" of
 * "ß" and "fi" of "ﬁ", and no kit is to be issued that some readers refuse.
 */
export function nameKey(name: string): string {
  const key = collisionKey(name)
  return /^[\x20-\x7e]*$/.test(key) ? key : key.toUpperCase().toLowerCase().normalize('NFC')
}

/** The same of what is in an archive. "./" is the folder that was packed. */
export function entryFinding(entry: Pick<ZipEntry, 'name' | 'isFolder'>): Finding | undefined {
  return entry.name === './' ? undefined : nameFinding(entryPath(entry))
}

/** What operating systems and office programs leave in folders on their own account. */
export function isLitter(name: string): boolean {
  const parts = name.split('/')
  const last = parts.at(-1) ?? ''
  return parts[0] === '__MACOSX' || LITTER.has(last.toLowerCase()) || /^(?:\._|~\$|\.~lock\.)/.test(last)
}

const LITTER = new Set(['.ds_store', 'icon\r', 'thumbs.db', 'ehthumbs.db', 'desktop.ini'])
