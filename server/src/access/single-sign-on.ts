import { recordEvent } from '../audit/audit-trail.ts'
import type { MemberRole } from '../database/console-schema.ts'
import type { Db } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import type { Invitations } from './invitations.ts'
import { findMember, membershipsWith, endAccess } from './member-queries.ts'
import type { Oidc } from './oidc.ts'
import type { Workspaces } from './workspaces.ts'

export interface SsoContext {
  readonly db: Db
  readonly clock: Clock
  readonly invitations: Invitations
  readonly workspaces: Workspaces
  readonly oidc: Oidc | undefined
}

/** A workspace that single sign-on can open. `linked`: its member joined with a link, which may have been someone else. */
export interface Choice {
  readonly workspaceId: WorkspaceId
  readonly name: string
  readonly role: MemberRole
  readonly is: 'member' | 'linked' | 'invited'
  readonly since: string
  /** When single sign-on last opened it. */
  readonly openedAt: string | null
}

/** What is offered to a person whose address the provider has verified. */
export async function choicesOf(ctx: SsoContext, email: string): Promise<readonly Choice[]> {
  const members = (await membershipsWith(ctx.db, email)).map((member): Choice => {
    const { workspace_id: workspaceId, name, role, created_at: since, sso_at: openedAt } = member
    return { workspaceId, name, role, is: openedAt === null ? 'linked' : 'member', since, openedAt }
  })
  const invited = (await ctx.invitations.openFor(ctx.db, email))
    .filter(({ workspace_id }) => !members.some(({ workspaceId }) => workspaceId === workspace_id))
    .map(async ({ workspace_id: workspaceId, role, created_at: since }): Promise<Choice> => {
      const name = (await ctx.workspaces.find(workspaceId))?.name ?? ''
      return { workspaceId, name, role, is: 'invited', since, openedAt: null }
    })
  return [...members, ...(await Promise.all(invited))]
}

/** The workspace opened last. Undefined if there is none, or if there are choices that the person has not seen yet. */
export function rememberedChoice(choices: readonly Choice[]): Choice | undefined {
  const [last] = choices.toSorted((a, b) => (b.openedAt ?? '').localeCompare(a.openedAt ?? ''))
  const seenAt = last?.openedAt ?? ''
  return seenAt !== '' && choices.every(({ openedAt, since }) => openedAt !== null || since < seenAt)
    ? last
    : undefined
}

/** Opens a workspace to the owner of an address, in the transaction that starts the session. */
export async function openBySso(
  { clock, invitations }: SsoContext,
  trx: Db,
  email: string,
  workspaceId: WorkspaceId,
): Promise<MemberId> {
  const at = timestamp(clock.now())
  const known = await findMember(trx, workspaceId, email)
  const open = known === undefined ? await invitations.openFor(trx, email) : []
  const invitation = open.find(({ workspace_id }) => workspace_id === workspaceId)
  const memberId = known?.member_id ?? (invitation && (await invitations.accept(trx, invitation)))
  if (memberId === undefined)
    throw new Refusal('member_not_found', 'You cannot switch to this workspace. Sign in to it instead.')
  if (known?.sso_at === null) {
    const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId, at } as const
    await recordEvent(trx, { ...event, action: 'member.changed', details: { single_sign_on: true } })
    await endAccess(trx, memberId, at)
  }
  await trx.updateTable('members').set({ sso_at: at }).where('member_id', '=', memberId).execute()
  return memberId
}

/** An address that single sign-on has proved is not taken with a link or a passkey, in any workspace. */
export async function rejectSsoAddress(
  { oidc }: Pick<SsoContext, 'oidc'>,
  db: Db,
  email: string,
): Promise<void> {
  if (oidc !== undefined && (await signsInWithSso(db, email.toLowerCase())))
    throw new Refusal('sso_required', `${email} signs in with single sign-on. Continue with ${oidc.name}.`)
}

export async function signsInWithSso(db: Db, email: string): Promise<boolean> {
  const found = db.selectFrom('members').select('member_id').where('email', '=', email)
  return (await found.where('sso_at', 'is not', null).limit(1).executeTakeFirst()) !== undefined
}
