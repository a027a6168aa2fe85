import { reason, type Why } from './texts/english.ts'
import { utf8 } from './encoding/bytes.ts'
import { firstWhere } from './lists.ts'
import { hasRefusedCodePoint } from './refused-code-points.ts'

const MAX_PATH_BYTES = 1024
const PLAIN = /^[\x20-\x7e]+$/

/**
 * What is wrong with a path, or undefined. Accepted paths can be unpacked on every common system, except `: * ? "
 * < > |` on Windows.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty'
  if (!path.isWellFormed()) return 'contains an unpaired surrogate'
  if (!PLAIN.test(path)) {
    if (hasRefusedCodePoint(path)) return 'contains a character that not every system knows'
    if (path.normalize('NFC') !== path) return 'is not in Unicode normalization form C'
    if (/\p{Cc}/u.test(path)) return 'contains a control character'
  }
  if (byteLength(path) > MAX_PATH_BYTES) return 'is longer than 1,024 bytes'
  if (path.includes('\\')) return 'contains a backslash'
  if (path.startsWith('/')) return 'is absolute'
  for (const segment of path.split('/')) {
    const problem = segmentProblem(segment)
    if (problem !== undefined) return problem
  }
  return undefined
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'contains an empty segment'
  if (segment === '.' || segment === '..') return `contains the segment "${segment}"`
  if (segment.endsWith('.') || segment.endsWith(' '))
    return 'contains a segment that ends in a dot or a space'
  if (/^[A-Za-z]:/.test(segment)) return 'contains a drive letter'
  if (DEVICE_NAME.test(segment)) return `contains the Windows device name "${segment}"`
  if (byteLength(segment) > 255) return 'contains a segment longer than 255 bytes'
  return undefined
}

const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\..*)?$/is

/** Orders paths by their UTF-8 bytes, as manifests do. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at)
    const y = b.charCodeAt(at)
    if (x === y) continue
    // A surrogate is part of a code point above all other UTF-16 units.
    const high = Number(isSurrogate(x)) - Number(isSurrogate(y))
    return high !== 0 ? high : x - y
  }
  return a.length - b.length
}

/** Two paths with the same key are the same file on systems that ignore case or Unicode normalization. */
export function collisionKey(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase()
  return [...path.normalize('NFC')].map(foldCase).join('').normalize('NFC')
}

/**
 * Describes each pair of paths that cannot exist together: the same name, or a file where a folder is needed.
 */
export function pathCollisions(paths: readonly string[]): readonly Why[] {
  const problems: Why[] = []
  const files = new Map<string, string>()
  for (const path of paths) {
    // Too long for a kit. Skipped because an archive can contain thousands of them.
    if (path.length > MAX_PATH_BYTES) continue
    const key = collisionKey(path)
    const other = files.get(key)
    if (other !== undefined) problems.push(reason('reason.sameName', { first: other, second: path }))
    else files.set(key, path)
  }
  // Sorted, so that files in a folder are found by binary search. Checking each parent would take one step per slash.
  const sorted = [...files.keys()].toSorted()
  for (const [key, path] of files) {
    const below = sorted[firstWhere(sorted, (other) => other >= `${key}/`)]
    if (below?.startsWith(`${key}/`))
      problems.push(`${path} is both a file and the folder of ${files.get(below)}`)
  }
  return problems
}

function byteLength(text: string): number {
  if (text.length > MAX_PATH_BYTES) return Infinity
  return PLAIN.test(text) ? text.length : utf8(text).length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

function foldCase(character: string): string {
  const upper = character.toUpperCase()
  return (upper.length === character.length ? upper : character).toLowerCase()
}
