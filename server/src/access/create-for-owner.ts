import { transact } from '../database/transact.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import { type InvitationsOptions, invite, type NewInvitation } from './invitations.ts'
import type { OperatorActor } from './operators.ts'
import { insertWorkspace } from './workspaces.ts'

export interface WorkspaceForOwner {
  readonly name: string
  readonly plan: string
  /** The address of the owner. */
  readonly email: string
}

/** A workspace without limits on credits, and the invitation of its owner, in one transaction. */
export const createForOwner = (
  options: InvitationsOptions & { readonly identifiers: Pick<Identifiers, 'workspaceId'> },
  { email, ...asked }: WorkspaceForOwner,
  actor: OperatorActor,
): Promise<NewInvitation> =>
  transact(options.db, async (trx) => {
    const workspaceId = await insertWorkspace(trx, options, { ...asked, credits: null }, actor)
    return invite(trx, options, { workspaceId, email, role: 'owner' }, actor)
  })
