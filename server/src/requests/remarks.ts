import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import type { Db } from '../database/schema.ts'
import type { Reader, Unit } from '../database/unit.ts'
import { findMemberById } from '../access/member-queries.ts'
import { workspaceRow } from '../database/questions.ts'
import { Refusal } from '../refusals.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { Clock } from '../runtime/clock.ts'
import type { CommentId, EvidenceRequestId, KitId, ShareId } from '../runtime/identifiers.ts'
import { actorText } from '../submissions/provenance-report.ts'

/**
 * What people write on kits and files in a room, and on items of a request, and what reviewers say that they have reviewed. The
 * audit log has the ID and the SHA-256 of a text, so that it can be erased.
 */
export const remarks = table('remarks', {
  comment_id: column.id<CommentId>('cmt'),
  workspace_id: column.owner(),
  /** One of them. */
  share_id: column.refersTo<ShareId>('shares (share_id)').nullable(),
  request_id: column.refersTo<EvidenceRequestId>('requests (request_id)').nullable(),
  sequence: column.count(),
  kind: column.oneOf('comment', 'review'),
  kit_id: column.refersTo<KitId>('kits (kit_id)').nullable(),
  path: column.text().nullable().doc('The file that it is about. Null for the kit, or an item.'),
  item_id: column.text().nullable().doc('The item that it is about.'),
  reply_to: column.text<CommentId>().nullable().doc('The first comment of the thread.'),
  side: column.oneOf('workspace', 'reviewer', 'supplier'),
  /** `key:ID`, `member:ID` or `link:ID`. */
  written_by: column.text(),
  author: column.text().doc('Empty if the comment is erased.'),
  author_basis: column
    .oneOf('member', 'key', 'recipient', 'not_verified')
    .doc(
      'Why the name is believed: a member or an API key of the workspace, or the address that the link was made for. `not_verified`: someone with the link typed it.',
    ),
  text: column.text().nullable().doc('Null if the comment is erased.'),
  sha256: column.text({ pattern: '^[0-9a-f]{64}$' }).nullable(),
  /** Of a question. */
  state: column.oneOf('open', 'answered', 'resolved').nullable(),
  created_at: column.created(),
  erased_at: column.text().nullable().doc('When it was erased.'),
})
  .unique(['share_id', 'sequence'], 'share_id is not null')
  .unique(['request_id', 'sequence'], 'request_id is not null')
  .index(['workspace_id', 'created_at'], `state = 'open'`)
  .fixed(
    'a remark does not change, and is erased once',
    ['state', 'text', 'author', 'erased_at'],
    `old.erased_at is not null or
      (new.erased_at is null and (new.text is distinct from old.text or new.author <> old.author)) or
      (new.erased_at is not null and (new.text is not null or new.author <> ''))`,
  )
  .missing('comment_not_found', 'This room has no comment with this ID.')

declare module '../database/schema.ts' {
  interface Database {
    readonly remarks: StoredRow<typeof remarks>
  }
}

export type Remark = RowOf<typeof remarks>

/** Someone who writes in a room or on an item, or says what they have reviewed. */
export interface Author {
  readonly side: Remark['side']
  readonly actor: CallerActor
  readonly name: string
  readonly basis: Remark['author_basis']
}

/** A member by name, and a program by the name of its workspace. */
export async function colleague(reader: Reader, actor: CallerActor): Promise<Author> {
  const found = actor.is === 'member' ? await findMemberById(reader.db, actor.memberId) : undefined
  if (found !== undefined)
    return { side: 'workspace', actor, name: found.name ?? found.email, basis: 'member' }
  const { name } = await workspaceRow(reader.db, reader.workspaceId)
  return { side: 'workspace', actor, name, basis: 'key' }
}

/** Takes the next number of the room or request, which stays locked until the unit ends. */
export async function insertRemark(
  unit: Unit,
  of: { readonly share_id: ShareId } | { readonly request_id: EvidenceRequestId },
  { side, actor, name, basis }: Author,
  more: Pick<Remark, 'kind'> & Partial<Remark>,
  most: { readonly remarks: number; readonly refusal: () => Refusal },
): Promise<Remark> {
  const [[id, value] = ['', '']] = Object.entries(of)
  const row = await unit.tables
    .updateTable(id === 'share_id' ? 'shares' : 'requests')
    .set({ remarks: sql<number>`remarks + 1` })
    .where(id, '=', value)
    .returning('remarks')
    .executeTakeFirstOrThrow()
  const sequence = Number(row['remarks'])
  if (sequence > most.remarks) throw most.refusal()
  const by = { side, written_by: actorText(actor), author: name, author_basis: basis }
  const { text = null } = more
  const sha256 = text === null ? null : createHash('sha256').update(text).digest('hex')
  return unit.insert(remarks, { ...of, sequence, ...by, ...more, sha256 })
}

const MAX_COMMENTS = 2000
const SUPPLIER_COMMENTS = MAX_COMMENTS / 2
const SUPPLIER_CHARACTERS = 256 * 1024

/** Adds a comment to an item. Never its text to the audit log: it can be erased there, and the log cannot. */
export async function commentOnItem(
  unit: Unit,
  { request_id, program_id }: { readonly request_id: EvidenceRequestId; readonly program_id: string | null },
  item_id: string,
  text: string,
  author: Author,
): Promise<Remark> {
  const isSupplier = author.side === 'supplier'
  const refusal = (): Refusal => {
    const message = isSupplier
      ? 'This request has too many comments to add one with its link.'
      : `A ${program_id === null ? 'request' : 'period'} can have at most ${MAX_COMMENTS} comments.`
    return program_id === null
      ? new Refusal('request_not_open', message, { args: { why: 'comments' } })
      : new Refusal('comment_limit', message)
  }
  if (isSupplier && (await writtenBySuppliers(unit, request_id)) + text.length > SUPPLIER_CHARACTERS)
    throw refusal()
  const most = { remarks: isSupplier ? SUPPLIER_COMMENTS : MAX_COMMENTS, refusal }
  return insertRemark(unit, { request_id }, author, { kind: 'comment', item_id, text: text.trim() }, most)
}

async function writtenBySuppliers({ db }: Reader, request_id: EvidenceRequestId): Promise<number> {
  const { length } = await db
    .selectFrom('remarks')
    .select(({ fn }) => fn.sum(fn('length', ['text'])).as('length'))
    .where('request_id', '=', request_id)
    .where('side', '=', 'supplier')
    .executeTakeFirstOrThrow()
  return Number(length ?? 0)
}

/** In a response with everything about a request. The others are in a list of their own. */
const SHOWN = 200

export interface Comments {
  readonly of: (item: { readonly request_id: string; readonly item_id: string }) => readonly Remark[]
  /** How many there are beside those. */
  readonly older: number
}

/** The newest comments on items of some requests, oldest first. */
export async function newestComments(
  reader: Reader,
  requests: readonly { readonly request_id: EvidenceRequestId; readonly remarks: number }[],
): Promise<Comments> {
  const ids = requests.filter((each) => each.remarks > 0).map(({ request_id }) => request_id)
  const all = reader.rows(remarks, {}).orderBy('created_at', 'desc').orderBy('sequence', 'desc')
  const newest = ids.length === 0 ? [] : await all.whereIn('request_id', ids).all(SHOWN)
  const found = Map.groupBy(newest.toReversed(), ({ request_id, item_id }) => `${request_id} ${item_id}`)
  return {
    of: ({ request_id, item_id }) => found.get(`${request_id} ${item_id}`) ?? [],
    older: requests.reduce((sum, each) => sum + each.remarks, 0) - newest.length,
  }
}

/** A page of what was written in a room or on the items of a request, oldest first. */
export async function remarksAfter(
  reader: Reader,
  of: Readonly<Record<string, string>>,
  after: number,
  limit: number,
): Promise<{ readonly rows: readonly Remark[]; readonly next: number | null }> {
  const rows = await reader.rows(remarks, of).where('sequence', '>', after).orderBy('sequence').all(limit)
  return { rows, next: rows.length === limit ? (rows.at(-1)?.sequence ?? null) : null }
}

interface Counter {
  readonly db: Db
  readonly clock: Clock
}

/** Writes with one link in a day, whether they change anything or not: enough to tick every file, and too few to fill a room. */
const WRITES_PER_DAY = 1000
const COMMENT_BYTES_PER_DAY = 256 * 1024
const PLACE_BYTES_PER_DAY = 1024 * 1024
/** Requests of an upload, of which one file may take many. They are limited by their bytes as well. */
const UPLOADS_PER_DAY = 20_000

/** Before the body is read. It stays counted, whatever comes of it. */
export const countWrite = (counter: Counter, linkId: string): Promise<void> =>
  count(counter, `remarks ${linkId}`, WRITES_PER_DAY)

export const countUpload = (counter: Counter, linkId: string): Promise<void> =>
  count(counter, `uploads ${linkId}`, UPLOADS_PER_DAY)

/** By link, and by the room or request that all of its links write in. */
export async function countComment(
  counter: Counter,
  { linkId, place, text }: { readonly linkId: string; readonly place: string; readonly text: string },
): Promise<void> {
  const sizeBytes = Buffer.byteLength(text)
  await count(counter, `bytes of remarks ${linkId}`, COMMENT_BYTES_PER_DAY, sizeBytes)
  await count(counter, `bytes of remarks ${place}`, PLACE_BYTES_PER_DAY, sizeBytes)
}

async function count({ db, clock }: Counter, what: string, limit: number, by = 1): Promise<void> {
  if (await countToday(db, clock, what, limit, by)) return
  throw new Refusal('rate_limited', 'Too much was written with this link today. Try again tomorrow (UTC).', {
    args: { what: 'writes' },
    headers: { 'retry-after': String(secondsUntilTomorrow(clock)) },
  })
}
