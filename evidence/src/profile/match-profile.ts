// docs/decisions/0205
import type { ExamineContext } from '../examine-context.ts'
import type { ExaminedFile } from '../examined-file.ts'
import { DATA_FOLDER } from '../file-names.ts'
import { fileType } from '../file-types.ts'
import { matchesGlob } from './glob.ts'
import type { Profile, ProfileItem } from './profile.ts'

export interface ProfileReport {
  readonly profile: string
  readonly title: string
  readonly items: readonly ItemReport[]
}

export interface ItemReport {
  readonly item: ProfileItem
  readonly matched: readonly MatchedFile[]
  readonly isMet: boolean
  readonly missing?: string | undefined
}

export interface MatchedFile {
  readonly path: string
  /** The last date in its path, as YYYY-MM-DD. */
  readonly statedDate?: string | undefined
}

/** Matches the files with the items of the profile. A missing item blocks the submission as a whole. */
export function matchProfile(
  ctx: ExamineContext,
  profile: Profile,
  files: readonly ExaminedFile[],
  now: string,
): ProfileReport {
  const items = profile.items.map((item) => matchItem(ctx, item, files, now))
  return { profile: profile.profile, title: profile.title, items }
}

function matchItem(
  ctx: ExamineContext,
  item: ProfileItem,
  files: readonly ExaminedFile[],
  now: string,
): ItemReport {
  const matched = files
    .filter((file) => matches(item, file))
    .map(({ path }) => ({ path, statedDate: statedDate(path) }))
  const label = `"${item.title}" (${item.id})`
  if (matched.length < item.minFiles) {
    const missing = `${label} requires ${count(item.minFiles)} matching ${item.paths.join(' or ')}${ofTypes(item)}; ${matched.length} found`
    ctx.report(null, { code: 'profile_item_missing', detail: missing })
    return { item, matched, isMet: false, missing }
  }
  const { maxAgeDays } = item
  if (maxAgeDays === undefined || item.minFiles === 0) return { item, matched, isMet: true }
  const fresh = matched.filter(({ statedDate: date }) => date !== undefined && isFresh(date, maxAgeDays, now))
  if (fresh.length >= item.minFiles) return { item, matched, isMet: true }
  const newest = matched
    .flatMap(({ statedDate: date }) => date ?? [])
    .toSorted()
    .at(-1)
  const required = `${label} requires ${count(item.minFiles)} from the last ${maxAgeDays} days`
  const missing = newest === undefined ? required : `${required}; the newest date found is ${newest}`
  ctx.report(null, {
    code: newest === undefined ? 'profile_item_undated' : 'profile_item_too_old',
    detail: missing,
  })
  return { item, matched, isMet: false, missing }
}

function matches({ paths, types }: ProfileItem, { path, type }: ExaminedFile): boolean {
  const isType = types.length === 0 || types.includes(type.id)
  const name = path.slice(DATA_FOLDER.length)
  return isType && paths.some((pattern) => matchesGlob(name, pattern))
}

function count(files: number): string {
  return files === 1 ? 'one file' : `${files} files`
}

function ofTypes({ types }: ProfileItem): string {
  return types.length === 0 ? '' : ` of type ${types.map((id) => fileType(id).title).join(' or ')}`
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
