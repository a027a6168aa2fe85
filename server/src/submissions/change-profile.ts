import { parseProfile, profileDocument } from '@kitseal/examiner'
import type { Db, ProfilesTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { ProfileRequest } from './profile-schemas.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { AuditAction } from '../audit/event-types.ts'
import { currentProfile, currentProfiles, type ShippedProfiles } from './find-profile.ts'

const MAX_PROFILES = 200

export async function createProfile(
  trx: Db,
  shipped: ShippedProfiles,
  request: ProfileRequest,
  caller: WorkspaceCaller,
  at: string,
): Promise<ProfilesTable> {
  const { workspaceId } = caller
  const name = request.profile
  const current = await currentProfiles(trx, workspaceId)
  if (shipped.has(name) || current.some(({ profile }) => profile === name))
    throw new Refusal('profile_exists', `There is a profile ${name} already. Choose another name.`)
  if (current.length >= MAX_PROFILES)
    throw new Refusal('profile_limit', `A workspace can have ${MAX_PROFILES} profiles. Delete one first.`)
  await recordChange(trx, caller, 'profile.created', name, at)
  return insertVersion(trx, request, caller, at)
}

export async function replaceProfile(
  trx: Db,
  shipped: ShippedProfiles,
  request: ProfileRequest,
  caller: WorkspaceCaller,
  at: string,
): Promise<ProfilesTable> {
  // Recorded first, because that locks the workspace.
  await recordChange(trx, caller, 'profile.changed', request.profile, at)
  await endCurrent(trx, shipped, caller, request.profile, at)
  return insertVersion(trx, request, caller, at)
}

/** Submissions that use it keep their version. */
export async function deleteProfile(
  trx: Db,
  shipped: ShippedProfiles,
  name: string,
  caller: WorkspaceCaller,
  at: string,
): Promise<ProfilesTable> {
  await recordChange(trx, caller, 'profile.deleted', name, at)
  return endCurrent(trx, shipped, caller, name, at)
}

async function endCurrent(
  trx: Db,
  shipped: ShippedProfiles,
  { workspaceId }: WorkspaceCaller,
  name: string,
  at: string,
): Promise<ProfilesTable> {
  const row = await currentProfile(trx, workspaceId, name)
  if (row === undefined && shipped.has(name))
    throw new Refusal(
      'profile_read_only',
      `${name} ships with the service. Create a copy with another name to change it.`,
    )
  if (row === undefined) throw notFound()
  await trx
    .updateTable('profiles')
    .set({ ended_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('profile', '=', name)
    .where('ended_at', 'is', null)
    .execute()
  return row
}

export const notFound = (): Refusal =>
  new Refusal('profile_not_found', 'Profile not found in this workspace.')

async function insertVersion(
  trx: Db,
  request: ProfileRequest,
  { workspaceId }: WorkspaceCaller,
  at: string,
): Promise<ProfilesTable> {
  const { last } = await trx
    .selectFrom('profiles')
    .select((eb) => eb.fn.max('version').as('last'))
    .where('workspace_id', '=', workspaceId)
    .where('profile', '=', request.profile)
    .executeTakeFirstOrThrow()
  const row = {
    workspace_id: workspaceId,
    profile: request.profile,
    version: Number(last ?? 0) + 1,
    document: documentOf(request),
    created_at: at,
    ended_at: null,
  }
  await trx.insertInto('profiles').values(row).execute()
  return row
}

/** Checks what the schema of the request cannot express. */
function documentOf(request: ProfileRequest): string {
  const parsed = parseProfile(Buffer.from(JSON.stringify(request)))
  if (!parsed.ok)
    throw new Refusal('body_invalid', `${parsed.problems.slice(0, 50).join('; ')}.`, {
      // Each problem begins with the path of its member.
      param: /^[\w.[\]]+/.exec(parsed.problems[0] ?? '')?.[0],
    })
  return JSON.stringify(profileDocument(parsed.value))
}

async function recordChange(
  trx: Db,
  { workspaceId, actor }: WorkspaceCaller,
  action: Extract<AuditAction, `profile.${string}`>,
  subject: string,
  at: string,
): Promise<void> {
  await recordEvent(trx, { workspaceId, actor, action, subject, at })
}
