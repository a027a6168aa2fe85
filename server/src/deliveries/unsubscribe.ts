import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { findLink } from '../database/links.ts'

/** Whether an address (lower case) wants no mail from a workspace. */
export async function isUnsubscribed(db: Db, workspaceId: WorkspaceId, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('unsubscribes')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', email)
    .executeTakeFirst()
  return row !== undefined
}

export interface Subscription {
  readonly workspaceId: WorkspaceId
  readonly workspace: string
  readonly email: string
}

/** What a link in a mail is about. Undefined if the token is unknown or has expired. */
export async function findSubscription(
  db: Db,
  clock: Clock,
  token: string,
): Promise<Subscription | undefined> {
  const link = await findLink(db, clock, 'unsubscribe', token)
  if (link === undefined) return undefined
  const { workspace_id: workspaceId, subject_id: email } = link
  const { name } = await db
    .selectFrom('workspaces')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { workspaceId, workspace: name, email }
}

export async function unsubscribe(db: Db, clock: Clock, { workspaceId, email }: Subscription): Promise<void> {
  await db
    .insertInto('unsubscribes')
    .values({ workspace_id: workspaceId, email, unsubscribed_at: timestamp(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
