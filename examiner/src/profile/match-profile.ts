import { detailOf } from '../rules.ts'
import type { SubmissionProvenance, Reason } from '@kitseal/kit/internal'
import type { ExamineContext } from '../examine-context.ts'
import type { ExaminedFile } from '../examined-file.ts'
import { DATA_FOLDER } from '../file-names.ts'
import { fileType } from '../file-types.ts'
import { provenanceDate, statedFor } from '../submission-provenance.ts'
import type { Profile, ProfileItem } from './profile.ts'

export interface ProfileReport {
  readonly profile: string
  readonly title: string
  readonly items: readonly ItemReport[]
}

export interface ItemReport {
  readonly item: ProfileItem
  /** Files that a person put into the folder of the item, or confirmed. */
  readonly matched: readonly MatchedFile[]
  /** Files whose name matches. They do not count until a person confirms them. */
  readonly suggested: readonly string[]
  readonly isMet: boolean
  readonly missing?: string | undefined
}

/** A person says that a file is for an item. */
export interface ConfirmedFile {
  readonly item: string
  /** In the kit, without `data/`. */
  readonly path: string
}

export interface MatchedFile {
  readonly path: string
  /** From its provenance, or else the last date in its path, as YYYY-MM-DD. */
  readonly statedDate?: string | undefined
}

/** What the supplier says, and when it is now (RFC 3339). */
interface Stated {
  readonly now: string
  readonly confirmed?: readonly ConfirmedFile[] | undefined
  readonly provenance?: SubmissionProvenance | undefined
}

/** Matches the files with the items of the profile. A missing item blocks the submission as a whole. */
export function matchProfile(
  ctx: ExamineContext,
  profile: Profile,
  files: readonly ExaminedFile[],
  { now, confirmed = [], provenance }: Stated,
): ProfileReport {
  const dateOf = (path: string): string | undefined => {
    const stated = provenance && statedFor(provenance, nameOf(path))
    return (stated && provenanceDate(stated)) ?? statedDate(path)
  }
  const items = profile.items.map((item) => {
    const paths = confirmed.filter((one) => one.item === item.id).map(({ path }) => path)
    return matchItem(ctx, item, files, { now, confirmed: new Set(paths), dateOf })
  })
  return { profile: profile.profile, title: profile.title, items }
}

interface ItemContext {
  readonly now: string
  readonly confirmed: ReadonlySet<string>
  readonly dateOf: (path: string) => string | undefined
}

function matchItem(
  ctx: ExamineContext,
  item: ProfileItem,
  files: readonly ExaminedFile[],
  { now, confirmed, dateOf }: ItemContext,
): ItemReport {
  const typed = files.filter(({ type }) => item.types.length === 0 || item.types.includes(type.id))
  const isPutThere = ({ path }: ExaminedFile): boolean =>
    isInFolder(nameOf(path), item.id) || confirmed.has(nameOf(path))
  const matched = typed.filter(isPutThere).map(({ path }) => ({ path, statedDate: dateOf(path) }))
  const suggested = typed
    .filter(
      (file) => !isPutThere(file) && item.paths.some((pattern) => matchesGlob(nameOf(file.path), pattern)),
    )
    .map(({ path }) => nameOf(path))
  const found = { item, matched, suggested }
  const label = `"${item.title}" (${item.id})`
  if (matched.length < item.minFiles) {
    const wanted = {
      item: label,
      files: filesText(item),
      example: exampleOf(item),
      found: matched.length,
    }
    const missing =
      suggested.length === 0
        ? detailOf('detail.missing', wanted)
        : detailOf('detail.suggested', { ...wanted, name: namesText(suggested) })
    ctx.report(null, { code: 'profile_item_missing', detail: missing })
    return { ...found, isMet: false, missing: missing.text }
  }
  const { maxAgeDays } = item
  if (maxAgeDays === undefined || item.minFiles === 0) return { ...found, isMet: true }
  const fresh = matched.filter(({ statedDate: date }) => date !== undefined && isFresh(date, maxAgeDays, now))
  if (fresh.length >= item.minFiles) return { ...found, isMet: true }
  const newest = matched
    .flatMap(({ statedDate: date }) => date ?? [])
    .toSorted()
    .at(-1)
  const required = {
    item: label,
    files: detailOf('thing.files', { count: item.minFiles }),
    days: maxAgeDays,
  }
  const missing =
    newest === undefined
      ? detailOf('detail.fresh', required)
      : detailOf('detail.newest', { ...required, date: newest })
  ctx.report(null, {
    code: newest === undefined ? 'profile_item_undated' : 'profile_item_too_old',
    detail: missing,
  })
  return { ...found, isMet: false, missing: missing.text }
}

const nameOf = (path: string): string => path.slice(DATA_FOLDER.length)
const MAX_NAMED = 3

function namesText(paths: readonly string[]): string | Reason {
  const list = paths.slice(0, MAX_NAMED).join(', ')
  const count = paths.length - MAX_NAMED
  return count > 0 ? detailOf('thing.namesAndMore', { list, count }) : list
}

/** A file in a folder with the ID of an item is for that item, whatever its name. */
const isInFolder = (name: string, id: string): boolean => name.split('/').slice(0, -1).includes(id)

/** The name of a file that would match, for people: an example, not a pattern. */
export function exampleOf({
  example,
  id,
  paths,
  types,
}: Pick<ProfileItem, 'example' | 'id' | 'paths' | 'types'>): string {
  if (example !== undefined) return example
  const [type] = types
  const ending = type === undefined ? 'pdf' : (fileType(type).endings[0] ?? 'pdf')
  const [pattern] = paths
  if (pattern === undefined) return `${id}/file.${ending}`
  const parts = pattern.split('/').filter((part) => part !== '**')
  const last = (parts.pop() ?? '').replaceAll('*', '').replaceAll('?', '1')
  const isFolder = pattern.endsWith('/**')
  const name = isFolder ? `${last}/file` : last.replace(/^\.|^$/, (dot) => `file${dot}`)
  return [
    ...parts.map((part) => part.replaceAll(/[*?]/g, '')).filter(Boolean),
    /\.\w+$/.test(name) ? name : `${name}.${ending}`,
  ].join('/')
}

function filesText({ minFiles: count, types }: ProfileItem): Reason {
  if (types.length === 0) return detailOf('thing.files', { count })
  return detailOf('thing.filesOfType', { count, type: types.map((id) => fileType(id).title).join(' or ') })
}

const DAY_MS = 86_400_000

/** The last valid date in a path. */
export function statedDate(path: string): string | undefined {
  return [...path.matchAll(/(?<!\d)(\d{4})[-_.](\d{2})[-_.](\d{2})(?!\d)/g)]
    .map(([, year, month, day]) => `${year}-${month}-${day}`)
    .findLast((date) => !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date))
}

/** Dates in the future do not count, except one day for time zones. */
function isFresh(date: string, maxAgeDays: number, now: string): boolean {
  const age = Date.parse(now) - Date.parse(date)
  return age >= -DAY_MS && age <= (maxAgeDays + 1) * DAY_MS
}

/**
 * Matches a path, ignoring case: `*` is any part of a name, `?` one character, `**` any number of folders. Takes bounded
 * time on any input, unlike a regular expression.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const parts = path.toLowerCase().split('/')
  const segments = pattern.toLowerCase().split('/')
  // reach[i]: the segments so far can match the first i parts.
  let reach: boolean[] = [true, ...parts.map(() => false)]
  for (const segment of segments) {
    const next = reach.map(() => false)
    for (let count = 0; count <= parts.length; count++) {
      if (segment === '**') next[count] = reach.slice(0, count + 1).includes(true)
      else
        next[count] = count > 0 && reach[count - 1] === true && matchesName(parts[count - 1] ?? '', segment)
    }
    reach = next
  }
  return reach[parts.length] === true
}

/** Greedy matching with one backtracking point, the last `*`. */
function matchesName(name: string, pattern: string): boolean {
  let [at, wanted, star, retry] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[wanted] === '*') {
      star = wanted++
      retry = at
    } else if (wanted < pattern.length && (pattern[wanted] === '?' || pattern[wanted] === name[at])) {
      at++
      wanted++
    } else if (star !== -1) {
      wanted = star + 1
      at = ++retry
    } else return false
  }
  while (pattern[wanted] === '*') wanted++
  return wanted === pattern.length
}

/** Reports statements about files that are not there, which would be lost in silence. */
export function checkProvenancePaths(
  ctx: ExamineContext,
  files: readonly ExaminedFile[],
  provenance: SubmissionProvenance | undefined,
): void {
  const paths = new Set(files.map(({ path }) => path))
  for (const path of Object.keys(provenance?.files ?? {}))
    if (!paths.has(DATA_FOLDER + path)) ctx.report(path, { code: 'provenance_unmatched' })
}
