import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { LinkPurpose, LinksTable } from './schema.ts'
import type { Database, Db } from './schema.ts'
import type { Identifiers, LinkId, WorkspaceId } from '../runtime/identifiers.ts'
import { makeSecret, readSecret } from './secret.ts'

export interface NewLink {
  readonly workspaceId: WorkspaceId
  readonly purpose: LinkPurpose
  /** ID of the invitation, share or request. */
  readonly subject: string
  readonly expiresAt: string
  /** Email address, if the link is for one person. */
  readonly recipient?: string
}

export interface LinkContext {
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'linkId'>
}

/** Creates a link in the transaction of its subject. The token is not stored and cannot be shown again. */
export async function createLink(
  trx: Db,
  { clock, identifiers }: LinkContext,
  { workspaceId, purpose, subject, expiresAt, recipient }: NewLink,
): Promise<{ readonly linkId: LinkId; readonly token: string }> {
  const linkId = identifiers.linkId()
  const { text: token, sha256 } = makeSecret()
  await trx
    .insertInto('links')
    .values({
      link_id: linkId,
      workspace_id: workspaceId,
      purpose,
      subject_id: subject,
      recipient: recipient ?? null,
      sha256,
      created_at: timestamp(clock.now()),
      expires_at: expiresAt,
      revoked_at: null,
    })
    .execute()
  return { linkId, token }
}

export type LinkRow = Omit<LinksTable, 'sha256'>

const SHOWN = [
  'link_id',
  'workspace_id',
  'purpose',
  'subject_id',
  'recipient',
  'created_at',
  'expires_at',
  'revoked_at',
] as const

/**
 * The link with this token, also if it has expired or was revoked. It is found by the hash of the token, so the time this
 * takes says nothing about other tokens. Nothing is cached: a revocation takes effect with the next request on every node.
 */
export async function readLink(
  db: Db,
  purpose: LinkPurpose,
  token: string | undefined,
): Promise<LinkRow | undefined> {
  const hash = readSecret(token)
  if (hash === undefined) return undefined
  return db
    .selectFrom('links')
    .select(SHOWN)
    .where('sha256', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
}

/** The link with this token. Undefined if it is unknown, has expired or was revoked. */
export async function findLink(
  db: Db,
  clock: Clock,
  purpose: LinkPurpose,
  token: string | undefined,
): Promise<LinkRow | undefined> {
  const link = await readLink(db, purpose, token)
  return link !== undefined && isLive(link, clock) ? link : undefined
}

export const isLive = (
  { revoked_at, expires_at }: Pick<LinkRow, 'revoked_at' | 'expires_at'>,
  clock: Clock,
): boolean => revoked_at === null && expires_at > timestamp(clock.now())

/** Revokes the links to a subject: all of them, those of one recipient, or with null those of nobody. Returns how many were open. */
export async function revokeLinks(
  trx: Db,
  clock: Clock,
  {
    purpose,
    subject,
    recipient,
  }: Pick<NewLink, 'purpose' | 'subject'> & { readonly recipient?: string | null },
): Promise<number> {
  let open = trx
    .updateTable('links')
    .set({ revoked_at: timestamp(clock.now()) })
    .where('subject_id', '=', subject)
    .where('purpose', '=', purpose)
    .where('revoked_at', 'is', null)
  if (recipient !== undefined) open = open.where(isFor(recipient))
  return Number((await open.executeTakeFirst()).numUpdatedRows)
}

/** Mail servers ignore the case of an address. */
const isFor =
  (recipient: string | null) =>
  (eb: ExpressionBuilder<Database, 'links'>): Expression<SqlBool> =>
    recipient === null
      ? eb('recipient', 'is', null)
      : eb(eb.fn<string>('lower', ['recipient']), '=', recipient.toLowerCase())

/** Who has a link to a subject that works, each address once. */
export async function liveRecipients(
  db: Db,
  clock: Clock,
  { purpose, subject }: Pick<NewLink, 'purpose' | 'subject'>,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('links')
    .select('recipient')
    .distinct()
    .where('subject_id', '=', subject)
    .where('purpose', '=', purpose)
    .where('recipient', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', timestamp(clock.now()))
    .orderBy('recipient')
    .execute()
  return rows.flatMap(({ recipient }) => recipient ?? [])
}

/** Whether a revoked link was replaced: its recipient has another one that works. */
export async function isReplaced(
  db: Db,
  { purpose, subject_id, recipient }: Pick<LinkRow, 'purpose' | 'subject_id' | 'recipient'>,
): Promise<boolean> {
  const other = await db
    .selectFrom('links')
    .select('link_id')
    .where('subject_id', '=', subject_id)
    .where('purpose', '=', purpose)
    .where('revoked_at', 'is', null)
    .where(isFor(recipient))
    .executeTakeFirst()
  return other !== undefined
}
