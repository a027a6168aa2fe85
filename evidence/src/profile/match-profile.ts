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
    const missing = `${label} requires ${count(item.minFiles)}${ofTypes(item)}, such as ${exampleOf(item)}; ${matched.length} found`
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

function matches({ id, paths, types }: ProfileItem, { path, type }: ExaminedFile): boolean {
  const isType = types.length === 0 || types.includes(type.id)
  const name = path.slice(DATA_FOLDER.length)
  return isType && (isInFolder(name, id) || paths.some((pattern) => matchesGlob(name, pattern)))
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
