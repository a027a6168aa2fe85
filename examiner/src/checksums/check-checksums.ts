import { detailOf } from '../rules.ts'
import { comparePaths, firstWhere } from '@kitseal/kit/internal'
import type { ExamineContext } from '../examine-context.ts'
import type { ExaminedFile } from '../examined-file.ts'
import { isSystemFile, normalizeName } from '../file-names.ts'

/** The result of checking one checksum list in the evidence. */
export interface ChecksumReport {
  readonly list: string
  readonly checked: number
  readonly mismatched: number
  readonly missing: number
  /** Files in the folder of the list, or below it, that it does not name. */
  readonly unlisted: number
  readonly notes: readonly string[]
}

/** Compares the files with the SHA-256 checksum lists in the evidence. */
export function checkChecksums(
  ctx: ExamineContext,
  files: readonly ExaminedFile[],
): readonly ChecksumReport[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const paths = [...byPath.keys()].toSorted(comparePaths)
  return files.flatMap((file) => {
    if (!isChecksumList(file.path)) return []
    if (file.checksumList === undefined) return [unread(file, 'not read: too large')]
    return [checkList(ctx, file, file.checksumList, byPath, paths)]
  })
}

function unread(list: ExaminedFile, note: string): ChecksumReport {
  return { list: list.path, checked: 0, mismatched: 0, missing: 0, unlisted: 0, notes: [note] }
}

function checkList(
  ctx: ExamineContext,
  list: ExaminedFile,
  text: string,
  byPath: ReadonlyMap<string, ExaminedFile>,
  paths: readonly string[],
): ChecksumReport {
  const folder = list.path.slice(0, list.path.lastIndexOf('/') + 1)
  const isBag =
    /^(?:tag)?manifest-sha256\.txt$/i.test(list.path.slice(folder.length)) && byPath.has(`${folder}bagit.txt`)
  const { sums, invalidLines } = parseChecksumList(text, list.path.slice(folder.length), isBag)
  if (sums.length === 0) {
    const detail = detailOf('detail.noHashes')
    ctx.report(list.displayPath, { code: 'checksum_list_malformed', detail })
    return unread(list, 'contains no checksums')
  }
  const notes = invalidLines > 0 ? [`${invalidLines} lines are not checksums`] : []
  const named = new Set<string>([list.path])
  let [checked, mismatched, missing] = [0, 0, 0]
  for (const sum of sums) {
    const path = resolve(folder, sum.name)
    // A list that includes itself was hashed before it was complete.
    if (path === list.path) continue
    const file = path === undefined ? undefined : byPath.get(path)
    if (file === undefined) {
      if (isSystemFile(sum.name)) continue
      missing++
      const detail = detailOf('detail.names', { line: sum.line, name: sum.name })
      ctx.report(list.displayPath, { code: 'checksum_file_missing', detail })
      continue
    }
    checked++
    named.add(file.path)
    if (file.sha256 === sum.sha256) continue
    mismatched++
    const detail = detailOf('detail.otherHash', {
      actual: file.sha256,
      list: list.displayPath,
      stated: sum.sha256,
    })
    ctx.report(file.displayPath, { code: 'checksum_mismatch', detail })
  }
  const unlisted = countBelow(paths, folder) - countBelow([...named].toSorted(comparePaths), folder)
  return { list: list.path, checked, mismatched, missing, unlisted, notes }
}

/** Counts by binary search: with a list for each of thousands of files, a scan would be quadratic. */
function countBelow(sorted: readonly string[], folder: string): number {
  const first = firstWhere(sorted, (path) => comparePaths(path, folder) >= 0)
  return firstWhere(sorted, (path) => comparePaths(path, folder) >= 0 && !path.startsWith(folder)) - first
}

/** Resolves a name in a list. Undefined if it points outside the evidence. */
function resolve(folder: string, name: string): string | undefined {
  const parts = folder.split('/').slice(0, -1)
  for (const part of normalizeName(name).split('/')) {
    if (part === '..') {
      if (parts.length <= 1) return undefined
      parts.pop()
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

interface ListedSum {
  readonly line: number
  readonly sha256: string
  readonly name: string
}

interface ChecksumList {
  readonly sums: readonly ListedSum[]
  readonly invalidLines: number
}

/** By name: what common tools write and expect. */
export function isChecksumList(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /^(?:sha256sums?(?:\.txt)?|[^/]+\.sha256(?:sums?)?|(?:tag)?manifest-sha256\.txt)$/i.test(name)
}

/**
 * Parses the formats of `sha256sum`, `shasum`, BSD's `sha256` and BagIt: `<hash>  <name>`, `<hash> *<name>`,
 * `SHA256 (<name>) = <hash>`, and a hash alone in `<name>.sha256`.
 */
function parseChecksumList(text: string, listName: string, isBag: boolean): ChecksumList {
  const sums: ListedSum[] = []
  let invalidLines = 0
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (raw.trim() === '' || raw.startsWith('#')) continue
    const sum = readLine(raw, listName, isBag)
    if (sum === undefined) invalidLines++
    else sums.push({ line: index + 1, ...sum })
  }
  return { sums, invalidLines }
}

function readLine(raw: string, listName: string, isBag: boolean): Omit<ListedSum, 'line'> | undefined {
  const isEscaped = raw.startsWith('\\')
  const line = isEscaped ? raw.slice(1) : raw
  const [hash, rest] = [line.slice(0, 64), line.slice(64)]
  if (/^[0-9a-f]{64}$/i.test(hash)) {
    const name = nameIn(rest, listName)
    return name === undefined
      ? undefined
      : { sha256: hash.toLowerCase(), name: decodeName(name, isEscaped, isBag) }
  }
  const end = line.length - 64 - ') = '.length
  if (!line.startsWith('SHA256 (') || line.slice(end, end + 4) !== ') = ') return undefined
  const sha256 = line.slice(-64).toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
  return { sha256, name: decodeName(line.slice('SHA256 ('.length, end), isEscaped, isBag) }
}

function nameIn(rest: string, listName: string): string | undefined {
  if (rest.trim() === '') {
    const named = listName.replace(/\.sha256(?:sums?)?$/i, '')
    return named === listName ? undefined : named
  }
  return /^[ \t]/.test(rest) ? rest.replace(/^[ \t]+\*?/, '') : undefined
}

function decodeName(name: string, isEscaped: boolean, isBag: boolean): string {
  if (isEscaped) return name.replace(/\\([\\nr])/g, (_, code: string) => ({ n: '\n', r: '\r' })[code] ?? '\\')
  // BagIt percent-encodes these three characters.
  return isBag ? name.replace(/%(0a|0d|25)/gi, (code) => decodeURIComponent(code)) : name
}
