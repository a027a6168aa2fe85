import type { Clock } from '../runtime/clock.ts'
import { countToday } from '../database/daily-counts.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { LIMITS } from '../settings/limits.ts'
import { isUnsubscribed } from './unsubscribe.ts'

/** Whether an address (lower case) belongs to a member of the workspace, who has accepted an invitation. */
export async function isMember(db: Db, workspaceId: WorkspaceId, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export const UNSUBSCRIBED = 'The recipient has unsubscribed.'

/** Why a mail to an outsider (lower case) is not sent. Counts it otherwise. */
export async function refuseMail(
  trx: Db,
  clock: Clock,
  workspaceId: WorkspaceId,
  email: string,
): Promise<string | undefined> {
  if (await isUnsubscribed(trx, workspaceId, email)) return UNSUBSCRIBED
  const perRecipient = LIMITS.mailsToRecipient.value
  if (!(await countToday(trx, clock, `mail ${workspaceId} ${email}`, perRecipient)))
    return `A recipient gets at most ${perRecipient} mails a day from a workspace. Try again tomorrow.`
  const { mails_per_day: perDay } = await trx
    .selectFrom('workspaces')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .select('plans.mails_per_day')
    .where('workspaces.workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (await countToday(trx, clock, `mail ${workspaceId}`, perDay)) return undefined
  return `The plan allows ${perDay} mails a day to people outside the workspace, and all are used. Try again tomorrow.`
}

interface WorkspaceReaders {
  readonly workspace: string
  /** Email addresses of the owners. */
  readonly owners: readonly string[]
}

/** Who reads mail for a workspace. */
export async function readersOf(db: Db, workspaceId: WorkspaceId): Promise<WorkspaceReaders> {
  const { name } = await db
    .selectFrom('workspaces')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const owners = await db
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('email')
    .execute()
  return { workspace: name, owners: owners.map(({ email }) => email) }
}
