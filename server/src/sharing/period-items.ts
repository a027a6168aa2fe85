import { createHash } from 'node:crypto'
import type { PeriodItemsTable } from '../database/program-schema.ts'
import { type ItemStatus, UNFINISHED } from '../database/request-schema.ts'
import type { Db, EvidenceTable } from '../database/schema.ts'
import type { ProgramId } from '../runtime/identifiers.ts'
import type { PeriodFile } from './program-schemas.ts'
import { isOpen, listPeriods, type Owned, type PeriodView, withOwners } from './program-queries.ts'
import { itemAnswers, requestFiles } from './request-queries.ts'

export type StoredFile = Pick<EvidenceTable, 'submission_id' | 'position' | 'name' | 'sha256' | 'size_bytes'>

/** An item of a period, with its files and what they say about its status. */
export interface PeriodItemView extends Owned<PeriodItemsTable> {
  readonly status: ItemStatus
  readonly is_late: boolean
  readonly not_applicable: string | null
  readonly files: readonly PeriodFile[]
}

export interface FilledPeriod extends PeriodView {
  readonly items: readonly PeriodItemView[]
}

/** Periods of one program, newest first, with their items and what the period before each of them had. */
export async function fillPeriods(
  db: Db,
  programId: ProgramId,
  views: readonly PeriodView[],
  now: string,
): Promise<readonly FilledPeriod[]> {
  const oldest = views.at(-1)
  if (oldest === undefined) return []
  const before = await listPeriods(db, programId, { before: oldest.number, limit: 1 })
  const all = [...views, ...before]
  const items = await itemsOf(db, programId, all)
  const files = await filesOf(db, all, items)
  return views.map((view, index) => {
    const earlier = all[index + 1]
    const sameAs = sameFiles(earlier?.number === view.number - 1 ? earlier : undefined, files)
    const own = items.filter(({ period }) => period === view.period)
    return { ...view, items: own.map((item) => filled(item, view, files, sameAs, now)) }
  })
}

export const fillPeriod = async (db: Db, view: PeriodView, now: string): Promise<FilledPeriod> => {
  const [filledView] = await fillPeriods(db, view.program_id, [view], now)
  if (filledView === undefined) throw new Error('a period was not filled')
  return filledView
}

type ItemRow = Owned<PeriodItemsTable>

async function itemsOf(
  db: Db,
  programId: ProgramId,
  views: readonly PeriodView[],
): Promise<readonly ItemRow[]> {
  const rows = await db
    .selectFrom('period_items')
    .selectAll()
    .where('program_id', '=', programId)
    .where(
      'period',
      'in',
      views.map(({ period }) => period),
    )
    .execute()
  return (await withOwners(db, rows)).toSorted((a, b) => a.position - b.position)
}

interface Files {
  /** By period and item. */
  readonly of: ReadonlyMap<string, readonly StoredFile[]>
  /** By request and item. */
  readonly answers: Awaited<ReturnType<typeof itemAnswers>>
}

const keyOf = ({ period, item_id }: Pick<ItemRow, 'period' | 'item_id'>): string => `${period}/${item_id}`

/** Until a period is sealed, what a supplier sent is in the request. Then it is in the kit of the period too. */
async function filesOf(db: Db, views: readonly PeriodView[], items: readonly ItemRow[]): Promise<Files> {
  const periods = new Map(views.map(({ submission_id, period }) => [submission_id as string, period]))
  const drafts = await db
    .selectFrom('evidence')
    .select(['submission_id', 'position', 'name', 'sha256', 'size_bytes'])
    .where('submission_id', 'in', [...periods.keys()] as StoredFile['submission_id'][])
    .execute()
  const open = new Set(views.filter(isOpen).map(({ period }) => period))
  const asked = items.flatMap((item) =>
    item.request_id !== null && open.has(item.period) ? [[item.request_id, item.period] as const] : [],
  )
  const periodOfRequest = new Map<string, string>(asked)
  const ids = [...new Set(asked.map(([id]) => id))]
  const sent = await requestFiles(db, ids)
  const of = Map.groupBy<string, StoredFile>(drafts, ({ submission_id, name }) =>
    keyOf({ period: periods.get(submission_id) ?? '', item_id: folderOf(name) }),
  )
  for (const { request_id, ...file } of sent) {
    const key = keyOf({ period: periodOfRequest.get(request_id) ?? '', item_id: folderOf(file.name) })
    of.set(key, [...(of.get(key) ?? []), file])
  }
  return { of, answers: await itemAnswers(db, ids) }
}

/** The folder of a file is the ID of its item. */
export const folderOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('/')))

/** A file of the same name first, and else one with the same bytes. */
function sameFiles(
  before: PeriodView | undefined,
  { of }: Files,
): (file: StoredFile) => PeriodFile['same_as'] {
  if (before === undefined) return () => null
  const { period } = before
  const earlier = [...of].flatMap(([key, files]) => (key.startsWith(`${period}/`) ? files : []))
  const names = new Set(earlier.map(({ name, sha256 }) => `${sha256} ${name}`))
  const bySha256 = new Map(earlier.map(({ name, sha256 }) => [sha256, name]))
  return ({ name, sha256 }) => {
    const same = names.has(`${sha256} ${name}`) ? name : bySha256.get(sha256)
    return same === undefined ? null : { period, name: same }
  }
}

function filled(
  item: ItemRow,
  view: PeriodView,
  { of, answers }: Files,
  sameAs: (file: StoredFile) => PeriodFile['same_as'],
  now: string,
): PeriodItemView {
  const files = of.get(keyOf(item)) ?? []
  const answer = answers.get(`${item.request_id} ${item.item_id}`)
  const status = item.sealed_status ?? answer?.status ?? internalStatus(item, files)
  const reason = item.reason ?? answer?.reason ?? null
  return {
    ...item,
    status,
    is_late: isOpen(view) && item.due_at < now && UNFINISHED.has(status),
    not_applicable: status === 'not_applicable' ? reason : null,
    files: inOrder(files).map((file) => ({
      submission_id: file.submission_id,
      position: file.position,
      name: file.name,
      sha256: file.sha256,
      size_bytes: Number(file.size_bytes),
      same_as: sameAs(file),
    })),
  }
}

const inOrder = (files: readonly StoredFile[]): readonly StoredFile[] =>
  files.toSorted((a, b) => a.position - b.position)

/** A review is about the files that were there. Other files are to review again. */
function internalStatus(
  { review, reviewed_files }: Pick<ItemRow, 'review' | 'reviewed_files'>,
  files: readonly StoredFile[],
): ItemStatus {
  const hasFiles = files.length > 0
  if (review === null) return hasFiles ? 'collected' : 'missing'
  if (reviewed_files === hashOfFiles(files)) return review
  if (hasFiles) return 'to_review'
  return review === 'needs_changes' ? review : 'missing'
}

/** Equal for equal names and contents. */
export const hashOfFiles = (files: readonly Pick<StoredFile, 'name' | 'sha256'>[]): string =>
  createHash('sha256')
    .update(JSON.stringify(files.map(({ name, sha256 }) => `${sha256} ${name}`).toSorted()))
    .digest('hex')
