import type { Receipt } from '@kitseal/kit/internal'
import { type Static, Type } from 'typebox'
import { countOf } from '../database/questions.ts'
import type { Db } from '../database/schema.ts'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import type { Reader } from '../database/unit.ts'
import { isAddress, type Mail, mailStatuses, MailStatus } from '../deliveries/mail.ts'
import { type Members, member, resource } from '../http/resource.ts'
import type { Service } from '../http/route.ts'
import { Count, DateTime, Nullable, NullableString, OneOf } from '../http/schema-parts.ts'
import type { Context } from '../kits/context.ts'
import { Refusal } from '../refusals.ts'
import type { KitId, LinkId, ShareId } from '../runtime/identifiers.ts'

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
    readonly shares: StoredRow<typeof shares>
    readonly share_kits: StoredRow<typeof shareKits>
  }
}

/** With the first of the kits that were chosen, which for the share of one kit is that kit. */
export type Share = RowOf<typeof shares> & { readonly kit_id: KitId | null; readonly receipt: string | null }

export interface ShareContext extends Context, Service {
  readonly mail: Mail
  /** Known once the service listens. */
  issuer(): string
}

type ShareStatus = 'active' | 'expired' | 'revoked' | 'exhausted'

export function statusOf(row: Share, at: string): ShareStatus {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at <= at) return 'expired'
  return row.max_downloads !== null && row.downloads >= row.max_downloads ? 'exhausted' : 'active'
}

/** The title of a room, and the label of a kit. */
export const labelOf = ({ title, receipt }: Pick<Share, 'title' | 'receipt'>): string =>
  title ?? (JSON.parse(receipt ?? '{}') as Partial<Receipt>).scope ?? ''

/** What the events of a share name: its kit, if it has one. */
export const kitDetail = ({ title, kit_id }: Share): { readonly kit_id?: KitId | null } =>
  title === null ? { kit_id } : {}

export const sharesWithReceipts = (db: Db) =>
  db
    .selectFrom('shares')
    .leftJoin('share_kits', (join) =>
      join.onRef('share_kits.share_id', '=', 'shares.share_id').on('share_kits.position', '=', 0),
    )
    .leftJoin('kits', 'kits.kit_id', 'share_kits.kit_id')
    .selectAll('shares')
    .select(['share_kits.kit_id', 'kits.receipt'])

type Query = ReturnType<typeof sharesWithReceipts>

export async function findShares(
  { db, cipher }: Reader,
  narrow: (all: Query) => Query,
): Promise<readonly Share[]> {
  const rows = await narrow(sharesWithReceipts(db)).execute()
  return rows.map(({ kit_id, receipt, ...stored }) =>
    Object.assign(shares.decode(stored, cipher), { kit_id, receipt }),
  )
}

export type ShareNoun = 'share' | 'room'

/** A room is not found where a share is asked for. */
export async function ownShare(reader: Reader, noun: ShareNoun, id: string): Promise<Share> {
  const [row] = await findShares(reader, (all) =>
    all
      .where('shares.share_id', '=', id as ShareId)
      .where('workspace_id', '=', reader.workspaceId)
      .where('title', noun === 'room' ? 'is not' : 'is', null),
  )
  if (row !== undefined) return row
  throw noun === 'room'
    ? new Refusal('room_not_found', 'Room not found in this workspace.')
    : new Refusal(...shares.more.missing)
}

export async function ownUnrevoked(reader: Reader, noun: ShareNoun, id: string): Promise<Share> {
  const row = await ownShare(reader, noun, id)
  if (row.revoked_at === null) return row
  throw new Refusal('share_revoked', `This ${noun} is revoked. Create another one.`)
}

/** Of a series, the newest. */
export const MAX_ROOM_KITS = 100

/** The kits of a share. Those of a series are looked up each time, so that a room has what came since. */
export async function kitsOf(db: Db, { share_id, workspace_id, series }: Share) {
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
async function listedKits(db: Db, share: Share) {
  const ids = await kitsOf(db, share)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('kits')
    .innerJoin('submissions', 'submissions.kit_id', 'kits.kit_id')
    .leftJoin('expired_kits', 'expired_kits.kit_id', 'kits.kit_id')
    .select(['kits.kit_id', 'submissions.scope_label as label', 'kits.issued_at'])
    // Only of a kit that has one.
    .select(({ case: when, ref }) =>
      when()
        .when('submissions.sequence', 'is not', null)
        .then(ref('submissions.submission_id'))
        .end()
        .as('submission_id'),
    )
    .select('expired_kits.expired_at as erased_at')
    .where('kits.kit_id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.kit_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const Recipients = Type.Array(
  Type.Object({
    email: Type.String(),
    url: NullableString(
      'The link of this recipient, only in the response that created it, and only if it is not mailed. Then send it yourself.',
    ),
    mail: Nullable(
      MailStatus,
      'What became of the mail with the link. Null if none was sent, or more than 90 days ago.',
    ),
    revoked_at: NullableString('When the link of this recipient was revoked.'),
    last_access_at: NullableString('When the link of this recipient was last used.'),
  }),
  { description: 'Who has a link of their own.' },
)
type Recipients = Static<typeof Recipients>

/** Each address once. Mail servers ignore the case of an address. */
export function recipientsAsked(given: readonly string[]): readonly string[] {
  const wrong = given.find((address) => !isAddress(address.trim()))
  if (wrong !== undefined)
    throw new Refusal('body_invalid', `${JSON.stringify(wrong)} is not an email address.`, {
      param: `recipients[${given.indexOf(wrong)}]`,
    })
  const once = new Map<string, string>()
  for (const address of given.map((each) => each.trim()))
    if (!once.has(address.toLowerCase())) once.set(address.toLowerCase(), address)
  return [...once.values()]
}

/** The links of a share that were just created, by recipient; null for anyone. They are not stored. */
export type NewLinks = ReadonlyMap<string | null, string>

/** The `dedupe` of the mail with a link. */
export const mailOfLink = (linkId: LinkId): string => `share ${linkId}`

/** Who has a link of their own, by share, with the new links. */
async function readRecipients(
  db: Db,
  ids: readonly ShareId[],
  links: NewLinks,
): Promise<ReadonlyMap<string, Recipients>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('links')
    .leftJoin('share_accesses', (join) =>
      join
        .onRef('share_accesses.share_id', '=', 'links.subject_id')
        .onRef('share_accesses.link_id', '=', 'links.link_id'),
    )
    .select(['links.subject_id', 'links.link_id', 'links.recipient', 'links.revoked_at'])
    .select(({ fn }) => fn.max('share_accesses.created_at').as('last_access_at'))
    .where('links.subject_id', 'in', ids)
    .where('links.purpose', '=', 'share')
    .where('links.recipient', 'is not', null)
    .groupBy(['links.link_id', 'links.subject_id', 'links.recipient', 'links.revoked_at', 'links.created_at'])
    .orderBy('links.created_at')
    .orderBy('links.link_id')
    .execute()
  const mails = await mailStatuses(
    db,
    rows.map(({ link_id }) => mailOfLink(link_id)),
  )
  const recipientOf = (theirs: typeof rows): Recipients[number] => {
    const { recipient, revoked_at } = theirs.at(-1)!
    const accesses = theirs.map((each) => each.last_access_at).toSorted()
    return {
      email: recipient ?? '',
      url: links.get(recipient) ?? null,
      last_access_at: accesses.at(-1) ?? null,
      revoked_at,
      // A mail about comments has a link, too.
      mail: theirs.map(({ link_id }) => mails.get(mailOfLink(link_id))).findLast(Boolean) ?? null,
    }
  }
  const found = new Map<string, Recipients>()
  for (const [subject, own] of Map.groupBy(rows, ({ subject_id }) => subject_id)) {
    const people = Map.groupBy(own, ({ recipient }) => (recipient ?? '').toLowerCase())
    const inOrder = [...people].toSorted(([a], [b]) => (a < b ? -1 : 1))
    found.set(
      subject,
      inOrder.map(([, theirs]) => recipientOf(theirs)),
    )
  }
  return found
}

/** As the API shows it. */
export type Shown = Share & {
  readonly status: ShareStatus
  /** The link for anyone, for the response that created it. */
  readonly url: string | null
  readonly recipients: Recipients
  /** Of a room. */
  readonly kits: Awaited<ReturnType<typeof listedKits>>
  readonly open_questions: number
}

export async function shown(
  { db, at }: Reader,
  rows: readonly Share[],
  links: NewLinks = new Map(),
): Promise<readonly Shown[]> {
  const ids = rows.map(({ share_id }) => share_id)
  const recipients = await readRecipients(db, ids, links)
  const all: Shown[] = []
  for (const row of rows) {
    const isRoom = row.title !== null
    all.push({
      ...row,
      status: statusOf(row, at),
      url: links.get(null) ?? null,
      recipients: recipients.get(row.share_id) ?? [],
      kits: isRoom ? await listedKits(db, row) : [],
      open_questions: isRoom ? await openQuestions(db, row.share_id) : 0,
    })
  }
  return all
}

const openQuestions = (db: Db, shareId: ShareId): Promise<number> =>
  countOf(
    db
      .selectFrom('remarks')
      .where('share_id', '=', shareId)
      .where('state', '=', 'open')
      .where('side', '=', 'reviewer'),
  )

/** What shares and rooms have in common. */
const LINKED: Members<Shown> = {
  status: OneOf(
    ['active', 'expired', 'revoked', 'exhausted'],
    'A share is exhausted when its download limit is reached.',
  ),
  url: NullableString(
    'The link for anyone, only in the response that created it. It is not stored and cannot be shown again. Null if the share is for recipients.',
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
      kit_id: member(Type.String(), ({ kit_id }: Shown) => kit_id ?? ''),
      label: member(
        Type.String({ description: 'The label of the submission, which is the scope of the receipt.' }),
        labelOf,
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
