import type { ExaminedFile, Examination } from './examination.ts'
import { fileType } from './file-types.ts'
import { matchesGlob } from './glob.ts'
import { DATA_FOLDER } from './names.ts'
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
  /** The last date that its path names, as YYYY-MM-DD. */
  readonly statedDate?: string | undefined
}

/** Holds the files against what the profile asks for. What is missing is a blocker of the submission as a whole. */
export function matchProfile(
  exam: Examination,
  profile: Profile,
  files: readonly ExaminedFile[],
  now: string,
): ProfileReport {
  const items = profile.items.map((item) => matchItem(exam, item, files, now))
  return { profile: profile.profile, title: profile.title, items }
}

function matchItem(
  exam: Examination,
  item: ProfileItem,
  files: readonly ExaminedFile[],
  now: string,
): ItemReport {
  const matched = files
    .filter((file) => matches(item, file))
    .map(({ path }) => ({ path, statedDate: statedDate(path) }))
  const asked = `"${item.title}" (${item.id})`
  if (matched.length < item.minFiles) {
    const missing = `${asked} asks for ${count(item.minFiles)} matching ${item.paths.join(' or ')}${ofTypes(item)}; ${matched.length} found`
    exam.report(null, { code: 'profile_item_missing', seen: missing })
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
  const missing =
    newest === undefined
      ? `${asked} asks for ${count(item.minFiles)} of the last ${maxAgeDays} days`
      : `${asked} asks for ${count(item.minFiles)} of the last ${maxAgeDays} days; the newest date named is ${newest}`
  exam.report(null, {
    code: newest === undefined ? 'profile_item_undated' : 'profile_item_too_old',
    seen: missing,
  })
  return { item, matched, isMet: false, missing }
}

function matches({ paths, types }: ProfileItem, { path, type }: ExaminedFile): boolean {
  const isType = types.length === 0 || (type !== undefined && types.includes(type.id))
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

/** The last date in a path that is one. */
export function statedDate(path: string): string | undefined {
  return [...path.matchAll(/(?<!\d)(\d{4})[-_.](\d{2})[-_.](\d{2})(?!\d)/g)]
    .map(([, year, month, day]) => `${year}-${month}-${day}`)
    .findLast((date) => !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date))
}

/** A date in the future says nothing about age; a day is allowed for the time zones. */
function isFresh(date: string, maxAgeDays: number, now: string): boolean {
  const age = Date.parse(now) - Date.parse(date)
  return age >= -DAY_MS && age <= (maxAgeDays + 1) * DAY_MS
}
