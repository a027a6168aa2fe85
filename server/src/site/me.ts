import { BOUNDARY } from '@kitseal/kit/internal'
import { readFrozen } from '../log/freeze-log.ts'
import { planLimits } from '../settings/plan.ts'
import type { ConsoleServices } from './console-services.ts'
import { findMemberById, membershipsOf } from '../access/member-queries.ts'
import { passkeysOf } from '../access/passkey-store.ts'
import type { ConsoleResponse } from './response-schemas.ts'
import type { ConsoleSession } from '../access/sessions.ts'

/** The signed-in member with workspace, session and permissions. */
export async function me(services: ConsoleServices, session: ConsoleSession): Promise<ConsoleResponse<'Me'>> {
  const { plan } = session.caller
  const workspace = await services.workspaces.find(session.workspaceId)
  if (workspace === undefined) throw new Error(`${session.workspaceId} does not exist`)
  const person = await findMemberById(services.db, session.memberId)
  if (person === undefined) throw new Error(`${session.memberId} was removed`)
  const frozen = await readFrozen(services.db)
  return {
    member: { member_id: person.member_id, email: person.email, name: person.name, role: person.role },
    workspace: {
      workspace_id: workspace.workspace_id,
      name: workspace.name,
      named_by: workspace.named_by,
      public_kits: workspace.visibility,
      language: workspace.language,
      entitled: plan.apiAccess,
      plan: { name: plan.name, ...planLimits(plan) },
    },
    session: {
      session_id: session.sessionId,
      created_at: session.createdAt,
      ends_at: session.endsAt,
      idle_minutes: services.config.session.idleMinutes,
      method: session.method,
    },
    workspaces: (await membershipsOf(services.db, session)).map(({ workspace_id, name, role }) => ({
      workspace_id,
      name,
      role,
    })),
    passkeys: (await passkeysOf(services.db, session.memberId)).length,
    issuer: services.issuer(),
    is_operator: session.isOperator,
    sends_mail: services.mail.isOn,
    boundary: BOUNDARY,
    log_frozen: frozen === undefined ? null : { since: frozen.at, reason: frozen.reason },
  }
}
