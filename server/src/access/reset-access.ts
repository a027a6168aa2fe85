import { recordEvent } from '../audit/audit-trail.ts'
import { transact } from '../database/transact.ts'
import { timestamp } from '../runtime/clock.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { endAccess } from './member-queries.ts'
import { type InvitationsOptions, invite } from './invitations.ts'
import { memberOf } from './members.ts'
import type { OperatorActor } from './operators.ts'

/** Deletes the passkeys of a member, ends their sessions, and mails them a link to sign in. Nobody else gets the link. */
export const resetAccess = (
  options: InvitationsOptions,
  workspaceId: WorkspaceId,
  id: string,
  actor: OperatorActor,
): Promise<void> =>
  transact(options.db, async (trx) => {
    const at = timestamp(options.clock.now())
    const { member_id: subject, email, role } = await memberOf(trx, workspaceId, id)
    const event = { workspaceId, actor, subject, details: { email }, at } as const
    await recordEvent(trx, { ...event, action: 'member.access_reset' })
    await endAccess(trx, subject, at)
    await invite(trx, options, { workspaceId, email, role }, actor, 'access_reset')
  })
