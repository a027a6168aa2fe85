import { openInvitations } from '../access/member-queries.ts'
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import type { Reader, Unit } from '../database/unit.ts'
import type { Db, EvidenceTable, JobStatus } from '../database/schema.ts'
import type { Mail } from '../deliveries/mail.ts'
import type { Service } from '../http/route.ts'
import { Refusal } from '../refusals.ts'
import { draftEnd } from '../submissions/create-submission.ts'
import type { Clock } from '../runtime/clock.ts'
import type {
  EvidenceRequestId,
  Identifiers,
  KitId,
  MemberId,
  ProgramId,
  SubmissionId,
} from '../runtime/identifiers.ts'

/** What mails and links are made with. */
export interface Mailing {
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly mail: Mail
}

export interface MailingUnits extends Mailing, Service {}

/**
 * What is asked for, item by item. A supplier answers through a link. A period of a program is a request to colleagues; what it
 * asks suppliers for are requests of their own, which are parts of it.
 */
export const requests = table('requests', {
  request_id: column.id<EvidenceRequestId>('evr'),
  workspace_id: column.owner(),
  /** The number of the audit event of its creation, so that requests of a workspace have an order. */
  sequence: column.count(),
  /** Of a period. */
  program_id: column.refersTo<ProgramId>('programs (program_id)').nullable(),
  /** Such as 2026-Q4. */
  period: column.text().nullable(),
  /** 1 for the first period of the program. */
  number: column.integer().nullable(),
  from_on: column.text().nullable(),
  /** The last day. Null if the program has no cadence. */
  to_on: column.text().nullable(),
  /** `key:ID` or `member:ID`. Null until the period is sealed for the first time. */
  sealed_by: column.text().nullable(),
  /** The period that it asks a supplier for. */
  part_of: column.refersTo<EvidenceRequestId>('requests (request_id)').nullable(),
  title: column.text(),
  message: column.text().nullable().doc('For the supplier.'),
  due_at: column.time().nullable().doc('When the request is due.'),
  series: column.text().nullable().doc('The series that its kits belong to.'),
  profile: column.text().nullable().doc('The profile that the items were taken from.'),
  recipients: column.json(Type.Array(Type.String())),
  round: column.count().default(0).doc('0 until the supplier has added something.'),
  /** So far, which numbers them. */
  remarks: column.count().default(0),
  /** `key:ID`, `member:ID`, or `service` for one of a program. */
  created_by: column.text(),
  created_at: column.created(),
  updated_at: column.updated(),
  reminded_at: column.time().nullable().doc('When the last reminder was queued.'),
  closed_at: column.time().nullable().doc('When it was closed.'),
  /** While every item is accepted or not applicable: what waits is found without a look at the others. */
  settled: column.boolean().default(false),
})
  .unique(['workspace_id', 'sequence'])
  .unique(['program_id', 'period'], 'program_id is not null')
  .unique(['program_id', 'number'], 'program_id is not null')
  .index(['part_of'], 'part_of is not null')
  .index(['workspace_id', 'updated_at'], 'closed_at is null and settled = 0')
  .index(['due_at'], 'closed_at is null')
  .index(['created_by'], 'closed_at is null')
  .fixed(
    'a closed request stays closed, and a period keeps its dates',
    [
      'sealed_by',
      'title',
      'message',
      'due_at',
      'recipients',
      'round',
      'remarks',
      'updated_at',
      'reminded_at',
      'closed_at',
      'settled',
    ],
    'new.round < old.round or new.remarks < old.remarks or (old.closed_at is not null and new.closed_at is distinct from old.closed_at)',
  )
  .stays('requests are not deleted')
  .missing('request_not_found', 'Request not found in this workspace.')

export const ITEM_STATUSES = [
  'missing',
  'collected',
  'to_review',
  'needs_changes',
  'accepted',
  'not_applicable',
] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** Someone has to supply it, or has not finished. */
export const UNFINISHED: ReadonlySet<ItemStatus> = new Set(['missing', 'collected', 'needs_changes'])

export const requestItems = table('request_items', {
  request_id: column.refersTo<EvidenceRequestId>('requests (request_id)'),
  /** As given in the list. Also the folder of its files in the kit. */
  item_id: column.text(),
  position: column.integer(),
  title: column.text(),
  description: column.text().nullable().doc('What to supply.'),
  due_at: column.time().nullable().doc('When this item is due.'),
  /** The colleague who supplies it. */
  owner_id: column.text<MemberId>().nullable(),
  /** What was said last, by whom, and about which round and files. */
  review: column.oneOf('to_review', 'needs_changes', 'accepted', 'not_applicable').nullable(),
  /** The newest submitted round; 0 before the first. Null in a period, whose files count at once. */
  review_round: column.integer().nullable(),
  /** See `hashOf`. */
  reviewed_files: column.text().nullable(),
  reviewed_by: column.text().nullable(),
  reviewed_at: column.time().nullable(),
  /** Why it does not apply, if the workspace says so. */
  reason: column.text().nullable(),
  /** Why it does not apply, if the supplier says so, and the round that says it. */
  not_applicable: column.text().nullable(),
  answered_round: column.integer().nullable(),
  /** Its status when its period was sealed. */
  sealed_status: column.oneOf(...ITEM_STATUSES).nullable(),
})
  .primaryKey('request_id', 'item_id')
  .index(['owner_id', 'due_at'], 'sealed_status is null')
  .index(['due_at'], 'sealed_status is null')
  .stays('items are not deleted')

/** Each round is a submission: a draft, then a kit. A round starts anew when something has to be changed. */
export const requestRounds = table('request_rounds', {
  request_id: column.refersTo<EvidenceRequestId>('requests (request_id)'),
  round: column.integer(),
  submission_id: column.refersTo<SubmissionId>('submissions (submission_id)'),
  /** JSON: facts for the provenance report about the person who submits. */
  sender: column.text().nullable(),
})
  .primaryKey('request_id', 'round')
  .unique(['submission_id'])
  .fixed('a round keeps its submission', ['sender'])
  .stays('rounds are not deleted')

declare module '../database/schema.ts' {
  interface Database {
    readonly requests: StoredRow<typeof requests>
    readonly request_items: StoredRow<typeof requestItems>
    readonly request_rounds: StoredRow<typeof requestRounds>
  }
}

export type RequestRow = RowOf<typeof requests>
export type ItemRow = RowOf<typeof requestItems>

interface Round extends RowOf<typeof requestRounds> {
  readonly status: JobStatus
  readonly kit_id: KitId | null
  /** When its status changed. */
  readonly changed_at: string
  /** When the kit was issued. */
  readonly issued_at: string | null
}

export type RequestFile = Pick<
  EvidenceTable,
  'submission_id' | 'position' | 'name' | 'sha256' | 'size_bytes' | 'object' | 'offset_bytes'
>

export interface ItemView extends ItemRow {
  readonly status: ItemStatus
  /** Those that count: what was submitted. Those of colleagues count at once. */
  readonly files: readonly RequestFile[]
  /** Those of the newest round, which may be a draft. */
  readonly drafted: readonly RequestFile[]
  /** In a period, the request to the supplier who is asked for it. */
  readonly part: RequestView | null
  /** The address of the colleague. Null if they have left. */
  readonly owner: string | null
  readonly is_late: boolean
}

export const REQUEST_STATUSES = ['open', 'submitted', 'accepted', 'closed'] as const
export const PERIOD_STATUSES = ['open', 'sealing', 'sealed', 'failed'] as const
type Status = (typeof REQUEST_STATUSES)[number] | (typeof PERIOD_STATUSES)[number]

/** A request with its rounds, its items and their files. A period has the items of its suppliers too. */
export interface RequestView extends RequestRow {
  readonly status: Status
  /** Oldest first. */
  readonly rounds: readonly Round[]
  readonly newest: Round | undefined
  /** The newest that counts: that was submitted, or of a period its newest. */
  readonly handed: Round | undefined
  /** The newest kit of any round. */
  readonly kit_id: KitId | null
  /** In their order. */
  readonly items: readonly ItemView[]
  /** What a period asks suppliers for. */
  readonly parts: readonly RequestView[]
  readonly files: Readonly<Record<'drafted' | 'handed' | 'before', readonly RequestFile[]>>
}

/** Until the unit ends, nobody else changes it. */
export const lockRequest = async (reader: Reader, id: EvidenceRequestId): Promise<RequestView> =>
  viewOf(reader, await reader.own(requests).lock(id))

export async function viewOf(reader: Reader, row: RequestRow): Promise<RequestView> {
  const [view] = await loadRequests(reader, [row])
  return view!
}

export const decodeRequests = (reader: Reader, rows: readonly StoredRow<typeof requests>[]) =>
  rows.map((row) => requests.decode(row, reader.cipher))

/** Reads few rows for each of the requests: rounds, items, and the files of the rounds that count. */
export async function loadRequests(
  reader: Reader,
  rows: readonly RequestRow[],
): Promise<readonly RequestView[]> {
  const periods = rows.filter(({ program_id }) => program_id !== null)
  const parts = await readAll(periods.map(idOf), (ids) => reader.own(requests).whereIn('part_of', ids).all())
  // The kit of a sealed period has what suppliers sent.
  const sealed = new Set(periods.filter(({ closed_at }) => closed_at !== null).map(idOf))
  const found = await find(
    reader,
    [...rows, ...parts],
    ({ part_of }) => part_of === null || !sealed.has(part_of),
  )
  const views = Map.groupBy(
    parts.map((part) => viewWith(found, part, [], reader.at)),
    ({ part_of }) => part_of,
  )
  return rows.map((row) => viewWith(found, row, views.get(row.request_id) ?? [], reader.at))
}

const idOf = ({ request_id }: { readonly request_id: EvidenceRequestId }) => request_id

type Found = Awaited<ReturnType<typeof find>>

async function find(reader: Reader, rows: readonly RequestRow[], needsFiles: (row: RequestRow) => boolean) {
  const ids = rows.map(idOf)
  const rounds = Map.groupBy(await readAll(ids, (some) => roundsOf(reader, some)), idOf)
  const items = await readAll(ids, (some) => reader.rows(requestItems, {}).whereIn('request_id', some).all())
  const submissions = rows.filter(needsFiles).flatMap((row) => {
    const { drafted, handed, before } = roundsIn(row, rounds.get(row.request_id))
    return [drafted, handed, before].flatMap((round) => round?.submission_id ?? [])
  })
  const files = await readAll([...new Set(submissions)], (some) => filesOf(reader.db, some))
  return {
    rounds,
    items: Map.groupBy(items, idOf),
    files: Map.groupBy(files, ({ submission_id }) => submission_id),
    emails: await emailsOf(
      reader,
      items.map(({ owner_id }) => owner_id),
    ),
  }
}

/** Databases limit the parameters of a statement. */
const MAX_PARAMETERS = 1000

async function readAll<Id, Row>(ids: readonly Id[], read: (some: readonly Id[]) => Promise<readonly Row[]>) {
  const rows: Row[] = []
  for (let at = 0; at < ids.length; at += MAX_PARAMETERS)
    rows.push(...(await read(ids.slice(at, at + MAX_PARAMETERS))))
  return rows
}

async function roundsOf({ db, cipher }: Reader, ids: readonly EvidenceRequestId[]) {
  const rows = await db
    .selectFrom('request_rounds')
    .innerJoin('submissions', 'submissions.submission_id', 'request_rounds.submission_id')
    .leftJoin('kits', 'kits.kit_id', 'submissions.kit_id')
    .selectAll('request_rounds')
    .select(['status', 'submissions.kit_id', 'job_updated_at as changed_at', 'kits.issued_at'])
    .where('request_rounds.request_id', 'in', ids)
    .execute()
  return rows
    .map(({ status, kit_id, changed_at, issued_at, ...row }) =>
      Object.assign(requestRounds.decode(row, cipher), { status, kit_id, changed_at, issued_at }),
    )
    .toSorted((a, b) => a.round - b.round)
}

async function filesOf(db: Db, ids: readonly SubmissionId[]): Promise<readonly RequestFile[]> {
  const rows = await db
    .selectFrom('evidence')
    .select(['submission_id', 'position', 'name', 'sha256', 'size_bytes', 'object', 'offset_bytes'])
    .where('submission_id', 'in', ids)
    .execute()
  return rows
    .map((row) => Object.assign(row, { size_bytes: Number(row.size_bytes) }))
    .toSorted((a, b) => a.position - b.position)
}

/** A draft expires without a kit. */
const wasSubmitted = ({ status, kit_id }: Round): boolean =>
  status === 'SUBMITTED' ||
  status === 'PASS' ||
  status === 'ISSUED' ||
  (status === 'EXPIRED' && kit_id !== null)

function roundsIn({ program_id }: RequestRow, rounds: readonly Round[] = []) {
  const submitted = program_id === null ? rounds.filter(wasSubmitted) : rounds.slice(-1)
  const [newest, handed, earlier] = [rounds.at(-1), submitted.at(-1), submitted.at(-2)]
  return {
    rounds,
    newest,
    handed,
    drafted: newest?.status === 'EXPIRED' && newest !== handed ? undefined : newest,
    /** What the newest round is compared with is in `handed`, unless that is the newest. */
    before: earlier,
    kit_id: rounds.findLast((round) => round.kit_id !== null)?.kit_id ?? null,
  }
}

function viewWith(found: Found, row: RequestRow, parts: readonly RequestView[], at: string): RequestView {
  const { drafted, handed, before, ...its } = roundsIn(row, found.rounds.get(row.request_id))
  const of = (round: Round | undefined): readonly RequestFile[] =>
    (round && found.files.get(round.submission_id)) ?? []
  const files = { drafted: of(drafted), handed: of(handed), before: of(before) }
  const [inDraft, inHanded] = [byFolder(files.drafted), byFolder(files.handed)]
  const items = (found.items.get(row.request_id) ?? []).map((item): ItemView => {
    const own = { files: inHanded.get(item.item_id) ?? [], drafted: inDraft.get(item.item_id) ?? [] }
    const status = itemStatus(item, own, row, handed)
    const owner = found.emails.get(item.owner_id) ?? null
    return Object.assign(own, item, { status, owner, part: null, is_late: false })
  })
  const status = requestStatus(row, items, { ...its, handed })
  const view = { ...row, ...its, handed, status, items: inOrder(items), parts, files }
  return row.program_id === null ? view : withParts(view, at)
}

const inOrder = (items: readonly ItemView[]) => items.toSorted((a, b) => a.position - b.position)

/** A period shows the items of its suppliers too, and once it is sealed what was true then. */
function withParts(view: RequestView, at: string): RequestView {
  const sealed = byFolder(view.files.handed)
  const asked = view.parts.flatMap((part) =>
    part.items.map((item) => {
      const files = isOpen(view) ? item.files : (sealed.get(item.item_id) ?? [])
      return Object.assign({}, item, { part, files })
    }),
  )
  const items = inOrder([...view.items, ...asked]).map((item) => {
    const status = item.sealed_status ?? item.status
    const isOverdue = isOpen(view) && item.due_at !== null && item.due_at < at
    return Object.assign({}, item, { status, is_late: isOverdue && UNFINISHED.has(status) })
  })
  return { ...view, items }
}

/** The folder of a file is the ID of its item. */
export const folderOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('/')))

export const byFolder = (files: readonly RequestFile[]): ReadonlyMap<string, readonly RequestFile[]> =>
  Map.groupBy(files, ({ name }) => folderOf(name))

/** Equal for equal names and contents. */
export const hashOf = (files: readonly Pick<RequestFile, 'name' | 'sha256'>[]): string =>
  createHash('sha256')
    .update(JSON.stringify(files.map(({ name, sha256 }) => `${sha256} ${name}`).toSorted()))
    .digest('hex')

/**
 * The one place that says what the status of an item is. A review is about files and ends when they are others. A supplier's item
 * that was sent back is to review again when the next round is submitted.
 */
function itemStatus(
  item: ItemRow,
  { files, drafted }: Pick<ItemView, 'files' | 'drafted'>,
  { program_id, closed_at }: RequestRow,
  handed: Round | undefined,
): ItemStatus {
  const { review, review_round, answered_round } = item
  const isPeriod = program_id !== null
  const isOfRound = review_round !== null && review_round >= (handed?.round ?? 0)
  const isSame = review !== null && item.reviewed_files === hashOf(files)
  const stands =
    review === 'needs_changes'
      ? isOfRound || (isPeriod && (isSame || files.length === 0))
      : isOfRound || isSame
  if (review !== null && stands) return review
  if (files.length > 0) return isPeriod && review === null ? 'collected' : 'to_review'
  if (answered_round !== null && handed !== undefined && answered_round <= handed.round) return 'to_review'
  // What was not submitted before a request was closed is no answer.
  const isDrafted = closed_at === null && (drafted.length > 0 || item.not_applicable !== null)
  return isDrafted ? 'collected' : 'missing'
}

/** The one place that says what the status of a request or a period is. */
function requestStatus(
  { program_id, closed_at }: RequestRow,
  items: readonly { readonly status: ItemStatus }[],
  { newest, handed, rounds }: Pick<RequestView, 'newest' | 'handed' | 'rounds'>,
): Status {
  if (program_id !== null) {
    if (newest?.status === 'DRAFT') return rounds.length > 1 ? 'failed' : 'open'
    if (newest?.status === 'FAIL') return 'failed'
    return newest?.status === 'SUBMITTED' || newest?.status === 'PASS' ? 'sealing' : 'sealed'
  }
  if (closed_at !== null) return 'closed'
  if (items.every(({ status }) => status === 'accepted' || status === 'not_applicable')) return 'accepted'
  return handed !== undefined && items.every(({ status }) => status !== 'needs_changes')
    ? 'submitted'
    : 'open'
}

/** Whether items of a period can be changed. */
export const isOpen = ({ status }: Pick<RequestView, 'status'>): boolean =>
  status === 'open' || status === 'failed'

/** Requests to suppliers that sealing a period closes. */
export const openParts = ({ parts }: RequestView): readonly RequestView[] =>
  parts.filter(({ status }) => status === 'open' || status === 'submitted')

/** How many items there are, and how many of each status. */
export const progressOf = (items: readonly { readonly status: ItemStatus }[]): Record<string, number> =>
  Object.fromEntries([
    ['items', items.length],
    ...ITEM_STATUSES.map((each) => [each, items.filter(({ status }) => status === each).length]),
  ])

export function findItem({ items, program_id }: RequestView, itemId: string): ItemView {
  const item = items.find(({ item_id }) => item_id === itemId)
  if (item !== undefined) return item
  throw program_id === null
    ? new Refusal('request_item_not_found', 'The request has no item with this ID.')
    : new Refusal('period_item_not_found', 'The period has no item with this ID.', { param: 'item_id' })
}

/** Why it does not apply. What the supplier said counts only where there is no file. */
export function reasonOf({ status, not_applicable, reason }: ItemView, hasFiles: boolean) {
  if (reason !== null && status === 'not_applicable') return { reason, by: 'requester' }
  return not_applicable === null || (hasFiles && status !== 'not_applicable')
    ? null
    : { reason: not_applicable, by: 'supplier' }
}

/** Closes a request: the supplier can read it, and nothing else. Its draft expires like any other. */
export async function closeRequest(unit: Unit, { request_id, status, newest }: RequestView): Promise<void> {
  if (status === 'closed') return
  await unit.update(requests, request_id, { closed_at: unit.at })
  if (newest?.status === 'DRAFT')
    await unit.db
      .updateTable('submissions')
      .set({ expires_at: draftEnd(Date.parse(unit.at)) })
      .where('status', '=', 'DRAFT')
      .where('submission_id', '=', newest.submission_id)
      .execute()
  await unit.record('request.closed', request_id)
}

/** The member in `member:ID`. */
export const memberIn = (writer: string): MemberId | null =>
  writer.startsWith('member:') ? (writer.slice('member:'.length) as MemberId) : null

/** The addresses of members. */
export async function emailsOf(
  { db }: Reader,
  given: readonly (MemberId | null)[],
): Promise<ReadonlyMap<string | null, string>> {
  const ids = [...new Set(given.filter((id) => id !== null))]
  return new Map((await peopleBy(db, 'member_id', ids)).map(({ member_id, email }) => [member_id, email]))
}

/** Members who have not left, and people who are invited. */
export async function peopleBy(db: Db, by: 'member_id' | 'email', values: readonly string[]) {
  if (values.length === 0) return []
  const shown = ['workspace_id', 'member_id', 'email', 'role'] as const
  return db
    .selectFrom('members')
    .select(shown)
    .where('removed_at', 'is', null)
    .where(by, 'in', values)
    .unionAll(openInvitations(db).select(shown).where(by, 'in', values))
    .execute()
}
