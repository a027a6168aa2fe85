import { comparePaths } from '@kitseal/kit'
import type { ExaminedFile, Examination } from './examination.ts'
import { isLitter } from './names.ts'
import { isChecksumList, type ListedSum, readChecksumList } from './checksum-list.ts'

/** What became of one list of checksums in the evidence. */
export interface ChecksumReport {
  readonly list: string
  readonly checked: number
  readonly mismatched: number
  readonly missing: number
  /** Files beside the list, or below it, that it does not name. */
  readonly unlisted: number
  readonly notes: readonly string[]
}

/** Checks the files against the lists of SHA-256 sums that came with them. */
export function checkChecksums(exam: Examination, files: readonly ExaminedFile[]): readonly ChecksumReport[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const paths = [...byPath.keys()].toSorted(comparePaths)
  return files.flatMap((file) => {
    if (!isChecksumList(file.path)) return []
    if (file.list === undefined) return [unread(file, 'not read: too large')]
    return [checkList(exam, file, file.list, byPath, paths)]
  })
}

function unread(list: ExaminedFile, note: string): ChecksumReport {
  return { list: list.path, checked: 0, mismatched: 0, missing: 0, unlisted: 0, notes: [note] }
}

function checkList(
  exam: Examination,
  list: ExaminedFile,
  text: string,
  byPath: ReadonlyMap<string, ExaminedFile>,
  paths: readonly string[],
): ChecksumReport {
  const folder = list.path.slice(0, list.path.lastIndexOf('/') + 1)
  const isBag =
    /^(?:tag)?manifest-sha256\.txt$/i.test(list.path.slice(folder.length)) && byPath.has(`${folder}bagit.txt`)
  const { sums, strangeLines } = readChecksumList(text, list.path.slice(folder.length), isBag)
  if (sums.length === 0) {
    exam.report(list.shownPath, {
      code: 'checksum_list_malformed',
      seen: 'it holds no line with a SHA-256 and a name',
    })
    return unread(list, 'no sum could be read')
  }
  const notes = strangeLines > 0 ? [`${strangeLines} lines are no checksums`] : []
  const named = new Set<string>([list.path])
  let [checked, mismatched, missing] = [0, 0, 0]
  for (const sum of sums) {
    const path = resolve(folder, sum.name)
    // Whoever writes a list of all files into one of them has listed it before it was whole.
    if (path === list.path) continue
    const file = path === undefined ? undefined : byPath.get(path)
    if (file === undefined) {
      if (isLitter(sum.name)) continue
      missing++
      exam.report(list.shownPath, {
        code: 'checksum_file_missing',
        seen: `line ${sum.line} names ${sum.name}`,
      })
      continue
    }
    checked++
    named.add(file.path)
    if (file.sha256 === sum.sha256) continue
    mismatched++
    exam.report(file.shownPath, mismatch(list, file, sum))
  }
  const unlisted = countBelow(paths, folder) - countBelow([...named].toSorted(comparePaths), folder)
  return { list: list.path, checked, mismatched, missing, unlisted, notes }
}

/** Of sorted paths, those below a folder stand together: a list beside each of thousands of files must not look at all. */
function countBelow(sorted: readonly string[], folder: string): number {
  const first = firstWhere(sorted, (path) => comparePaths(path, folder) >= 0)
  return firstWhere(sorted, (path) => comparePaths(path, folder) >= 0 && !path.startsWith(folder)) - first
}

/** Where `holds` begins to hold; it goes on to hold to the end. */
function firstWhere(sorted: readonly string[], holds: (path: string) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle] ?? '')) high = middle
    else low = middle + 1
  }
  return low
}

function mismatch(list: ExaminedFile, file: ExaminedFile, sum: ListedSum) {
  return {
    code: 'checksum_mismatch',
    seen: `its SHA-256 is ${file.sha256}, and in ${list.shownPath} it is ${sum.sha256}`,
  } as const
}

/** The path that a name in a list leads to; undefined where it leads out of the evidence. */
function resolve(folder: string, name: string): string | undefined {
  const parts = folder.split('/').slice(0, -1)
  for (const part of name.normalize('NFC').split('/')) {
    if (part === '..') {
      if (parts.length <= 1) return undefined
      parts.pop()
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
