import type { Receipt } from '@kitseal/kit/internal'
import { Type } from 'typebox'
import { column, type StoredRow, table } from '../database/table.ts'
import type { Reader } from '../database/unit.ts'
import type { Db } from '../database/schema.ts'
import type { Mail } from '../deliveries/mail.ts'
import { type Members, member, resource } from '../http/resource.ts'
import { Count, DateTime, NullableString, OneOf } from '../http/schema-parts.ts'
import type { Service } from '../http/route.ts'
import type { Context } from '../kits/context.ts'
import { Refusal } from '../refusals.ts'
import type { KitId, ShareId } from '../runtime/identifiers.ts'
import { readRecipients, Recipients } from './share-recipients.ts'

/** Kits, or some files of one, for someone without an account. With a title it is a room. Its tokens are in `links`. */
export const shares = table('shares', {
  share_id: column.id<ShareId>('shr'),
  workspace_id: column.owner(),
  /** The number of the audit event of its creation, so that shares of a workspace have an order. */
  sequence: column.count(),
  /** Of a room. Null for the share of one kit. */
  title: column.text().nullable(),
  /** A room of this series has its kits, also those that come later. Null if they are in `share_kits`. */
  series: column.text().nullable(),
  /** Sorted. Null for the whole kit. */
  paths: column.json(Type.Array(Type.String())).nullable(),
  note: column.text().nullable().doc('For the recipient.'),
  /** See open-share.ts. */
  password: column.text().nullable(),
  max_downloads: column.integer().nullable().doc('The download limit.'),
  /** To the one who created it. */
  notify_downloads: column.boolean().doc('Whether downloads are mailed.'),
  downloads: column
    .count()
    .doc('Visits that read a file. A program without cookies makes one with each request.')
    .default(0),
  accesses: column.count().doc('Number of entries in the access log.').default(0),
  /** So far, which numbers them. */
  remarks: column.count().default(0),
  last_access_at: column.text().nullable().doc('When the share was last used.'),
  /** ID of the API key or the member. */
  created_by: column.text(),
  created_at: column.created(),
  expires_at: column.time(),
  revoked_at: column.text().nullable().doc('When it was revoked.'),
})
  .unique(['workspace_id', 'sequence'])
  .index(['workspace_id', 'expires_at'], 'revoked_at is null')
  .index(['created_by'], 'revoked_at is null')
  .index(['workspace_id', 'series'], 'series is not null')
  .fixed(
    'a share stays the same, a revoked one stays revoked, and its download limit holds',
    [
      'password',
      'max_downloads',
      'notify_downloads',
      'downloads',
      'accesses',
      'remarks',
      'last_access_at',
      'expires_at',
      'revoked_at',
    ],
    `(old.revoked_at is not null and (new.revoked_at is distinct from old.revoked_at or new.downloads <> old.downloads)) or
      new.downloads < old.downloads or new.accesses < old.accesses or new.remarks < old.remarks or
      (new.downloads > old.downloads and new.downloads > coalesce(new.max_downloads, new.downloads))`,
  )
  .missing('share_not_found', 'Share not found in this workspace.')

/** The kits that were chosen, in their order. The share of one kit has one. */
export const shareKits = table('share_kits', {
  share_id: column.refersTo<ShareId>('shares (share_id)'),
  position: column.integer(),
  kit_id: column.refersTo<KitId>('kits (kit_id)'),
})
  .primaryKey('share_id', 'position')
  .fixed('the kits of a share are not changed')
  .index(['kit_id'])

declare module '../database/schema.ts' {
  interface Database {
    readonly shares: SharesTable
    readonly share_kits: StoredRow<typeof shareKits>
  }
}

export type SharesTable = StoredRow<typeof shares>
/** With the first of the kits that were chosen, which for the share of one kit is that kit. */
export type ShareRow = SharesTable & { readonly kit_id: KitId | null; readonly receipt: string | null }

export interface ShareContext extends Context, Service {
  readonly mail: Mail
  /** Known once the service listens. */
  issuer(): string
}

type ShareStatus = 'active' | 'expired' | 'revoked' | 'exhausted'

export function statusOf(row: SharesTable, at: string): ShareStatus {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at <= at) return 'expired'
  return row.max_downloads !== null && row.downloads >= row.max_downloads ? 'exhausted' : 'active'
}

export const sharedPaths = ({ paths }: Pick<SharesTable, 'paths'>): readonly string[] | null =>
  paths === null ? null : (JSON.parse(paths) as readonly string[])

/** The title of a room, and the label of a kit. */
export const labelOf = ({ title, receipt }: ShareRow): string =>
  title ?? (JSON.parse(receipt ?? '{}') as Partial<Receipt>).scope ?? ''

/** What the events of a share name: its kit, if it has one. */
export const kitDetail = ({ title, kit_id }: ShareRow): { readonly kit_id?: KitId | null } =>
  title === null ? { kit_id } : {}

/** Shares with the receipts of their kits. */
export const sharesWithReceipts = (db: Db) =>
  db
    .selectFrom('shares')
    .leftJoin('share_kits', (join) =>
      join.onRef('share_kits.share_id', '=', 'shares.share_id').on('share_kits.position', '=', 0),
    )
    .leftJoin('kits', 'kits.kit_id', 'share_kits.kit_id')
    .selectAll('shares')
    .select(['share_kits.kit_id', 'kits.receipt'])

type ShareNoun = 'share' | 'room'

/** A room is not found where a share is asked for. */
export async function ownShare(reader: Reader, noun: ShareNoun, id: string): Promise<ShareRow> {
  const row = await sharesWithReceipts(reader.db)
    .where('shares.share_id', '=', id as ShareId)
    .where('workspace_id', '=', reader.workspaceId)
    .where('title', noun === 'room' ? 'is not' : 'is', null)
    .executeTakeFirst()
  if (row !== undefined) return row
  throw noun === 'room'
    ? new Refusal('room_not_found', 'Room not found in this workspace.')
    : new Refusal(...shares.more.missing)
}

export async function ownUnrevoked(reader: Reader, noun: ShareNoun, id: string): Promise<ShareRow> {
  const row = await ownShare(reader, noun, id)
  if (row.revoked_at === null) return row
  throw new Refusal('share_revoked', `This ${noun} is revoked. Create another one.`)
}

/** As the API shows it, without its links. */
export type Shown = ReturnType<typeof shares.decode> & {
  readonly row: ShareRow
  readonly status: ShareStatus
  readonly recipients: Recipients
  /** Of a room. */
  readonly kits: Awaited<ReturnType<typeof listedKits>>
  readonly open_questions: number
}

export async function shown(reader: Reader, rows: readonly ShareRow[]): Promise<readonly Shown[]> {
  const recipients = await readRecipients(
    reader.db,
    rows.map(({ share_id }) => share_id),
  )
  const all: Shown[] = []
  for (const row of rows) {
    const isRoom = row.title !== null
    all.push({
      ...shares.decode(row, reader.cipher),
      row,
      status: statusOf(row, reader.at),
      recipients: recipients.get(row.share_id) ?? [],
      kits: isRoom ? await listedKits(reader.db, row) : [],
      open_questions: isRoom ? await openQuestions(reader.db, row) : 0,
    })
  }
  return all
}

/** Of a series, the newest. */
export const MAX_ROOM_KITS = 100

/** The kits of a share. Those of a series are looked up each time, so that a room has what came since. */
export async function kitsOf(db: Db, { share_id, workspace_id, series }: SharesTable) {
  const rows =
    series === null
      ? db
          .selectFrom('share_kits')
          .select('kit_id')
          .where('share_id', '=', share_id)
          .orderBy('position')
          .execute()
      : db
          .selectFrom('series_kits')
          .select('kit_id')
          .where('workspace_id', '=', workspace_id)
          .where('series', '=', series)
          .orderBy('issued_at', 'desc')
          .orderBy('sequence', 'desc')
          .limit(MAX_ROOM_KITS)
          .execute()
  return (await rows).map(({ kit_id }) => kit_id)
}

/** With what a list says about each of them. */
async function listedKits(db: Db, share: SharesTable) {
  const ids = await kitsOf(db, share)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('kits')
    .innerJoin('submissions', 'submissions.kit_id', 'kits.kit_id')
    .leftJoin('expired_kits', 'expired_kits.kit_id', 'kits.kit_id')
    .select(['kits.kit_id', 'submissions.scope_label as label', 'kits.issued_at'])
    // Only of a kit that has one.
    .select((eb) =>
      eb
        .case()
        .when('submissions.sequence', 'is not', null)
        .then(eb.ref('submissions.submission_id'))
        .end()
        .as('submission_id'),
    )
    .select('expired_kits.expired_at as erased_at')
    .where('kits.kit_id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.kit_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function openQuestions(db: Db, { share_id }: ShareRow): Promise<number> {
  const { open } = await db
    .selectFrom('remarks')
    .select(({ fn }) => fn.countAll().as('open'))
    .where('share_id', '=', share_id)
    .where('state', '=', 'open')
    .where('side', '=', 'reviewer')
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** What shares and rooms have in common. */
const LINKED: Members<Shown> = {
  status: OneOf(
    ['active', 'expired', 'revoked', 'exhausted'],
    'A share is exhausted when its download limit is reached.',
  ),
  url: member(
    NullableString(
      'The link for anyone, only in the response that created it. It is not stored and cannot be shown again. Null if the share is for recipients.',
    ),
    () => null,
  ),
  recipients: Recipients,
  has_password: member(Type.Boolean(), ({ password }: Shown) => password !== null),
}
const HIDDEN = ['sequence', 'title', 'series', 'paths', 'password', 'created_by', 'remarks'] as const

export const ShareResource = resource(
  'Share',
  'A link to a kit, or to some of its files, for someone without an account.',
  shares,
  {
    without: HIDDEN,
    and: {
      kit_id: member(Type.String(), ({ row }: Shown) => row.kit_id ?? ''),
      label: member(
        Type.String({ description: 'The label of the submission, which is the scope of the receipt.' }),
        ({ row }: Shown) => labelOf(row),
      ),
      paths: Type.Unsafe<readonly string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'The shared files. Null if the whole kit is shared.',
      }),
      ...LINKED,
    },
  },
)

export const RoomResource = resource(
  'Room',
  'A share of several kits, with comments and reviews. Its links and its access log are those of a share.',
  shares,
  {
    without: ['share_id', ...HIDDEN],
    and: {
      room_id: member(Type.String(), ({ share_id }: Shown) => share_id),
      title: member(Type.String(), ({ title }: Shown) => title ?? ''),
      series: NullableString('If the room has the kits of a series.'),
      kits: member(
        Type.Array(
          Type.Object({
            kit_id: Type.String(),
            submission_id: NullableString('Of the kit. Null if it was made without a submission.'),
            label: Type.String(),
            issued_at: DateTime(),
            erased_at: NullableString('When its evidence was deleted.'),
          }),
          { description: 'The kits that are in the room now.' },
        ),
        ({ kits }: Shown) => kits,
      ),
      open_questions: Count('Questions of reviewers that nobody of the workspace has answered.'),
      ...LINKED,
    },
  },
)
