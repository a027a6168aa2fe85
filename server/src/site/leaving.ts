import { timestamp } from '../runtime/clock.ts'
import { actorText } from '../submissions/provenance-report.ts'
import { memberOf } from '../access/members.ts'
import type { ConsoleSession } from '../access/sessions.ts'
import { labelOf, sharesWithReceipts } from '../shares/share.ts'
import type { ConsoleServices } from './console-services.ts'
import type { ConsoleResponse } from './response-schemas.ts'

const MAX_LISTED = 100

/** What a member leaves behind: credentials to keep or revoke, and what they or their keys gave to others. */
export async function leaving(
  { db, clock, keys, invitations }: ConsoleServices,
  { workspaceId }: ConsoleSession,
  id: string,
): Promise<ConsoleResponse<'Leaving'>> {
  const { member_id: memberId, email } = await memberOf(db, workspaceId, id)
  const now = timestamp(clock.now())
  const isActive = (row: { readonly expires_at: string | null }): boolean =>
    row.expires_at === null || row.expires_at > now
  const own = (await keys.list(workspaceId)).filter(({ created_by }) => created_by === memberId)
  const shares = await sharesWithReceipts(db)
    .where('shares.workspace_id', '=', workspaceId)
    .where('shares.created_by', 'in', [memberId, ...own.map(({ key_id }) => key_id)])
    .where('shares.revoked_at', 'is', null)
    .where('shares.expires_at', '>', now)
    .limit(MAX_LISTED)
    .execute()
  const makers = [
    actorText({ is: 'member', memberId }),
    ...own.map(({ key_id: keyId }) => actorText({ is: 'key', keyId })),
  ]
  const requests = await db
    .selectFrom('requests')
    .select(['request_id as evidence_request_id', 'title'])
    .where('workspace_id', '=', workspaceId)
    .where('created_by', 'in', makers)
    .where('program_id', 'is', null)
    .where('closed_at', 'is', null)
    .limit(MAX_LISTED)
    .execute()
  const federations = await db
    .selectFrom('federations')
    .select(['federation_id', 'label', 'expires_at'])
    .where('workspace_id', '=', workspaceId)
    .where('created_by', '=', memberId)
    .orderBy('created_at', 'desc')
    .execute()
  return {
    keys: own
      .filter((row) => row.revoked_at === null && isActive(row))
      .map(({ key_id, label, last_used_at }) => ({ key_id, label, last_used_at })),
    federations: federations.filter(isActive).map(({ federation_id, label }) => ({ federation_id, label })),
    invitations: (await invitations.open(workspaceId))
      .filter((row) => row.inviting_member === memberId || row.email === email)
      .map((row) => ({ invitation_id: row.invitation_id, email: row.email, role: row.role })),
    shares: shares.map((row) => ({
      share_id: row.share_id,
      label: labelOf(row),
      expires_at: row.expires_at,
    })),
    requests,
  }
}
