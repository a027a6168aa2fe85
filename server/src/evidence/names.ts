import { collisionKey, pathProblem } from '@kitseal/kit'
import type { Finding } from './rules.ts'

/** Where evidence stands in a kit. */
export const DATA_FOLDER = 'data/'

/** The name of a file as a path: in the normalization form that kits use. macOS hands out the other one. */
export function normalized(name: string): string {
  return name.normalize('NFC')
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

/** What operating systems and office programs leave in folders on their own account. */
export function isLitter(name: string): boolean {
  const parts = name.split('/')
  const last = parts.at(-1) ?? ''
  return parts[0] === '__MACOSX' || LITTER.has(last) || /^(?:\._|~\$|\.~lock\.)/.test(last)
}

const LITTER = new Set(['.DS_Store', 'Icon\r', 'Thumbs.db', 'desktop.ini'])
