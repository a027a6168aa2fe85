import { parseProfile, type Profile } from '@kitseal/examiner'
import type { Db, ProfilesTable } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'

/** The profiles that ship with the service, by name. */
export type ShippedProfiles = ReadonlyMap<string, Profile>

/** Every workspace has it, and none can replace it. */
const DEFAULT = 'default'

/** The current version of a profile of the workspace. */
export function currentProfile(
  db: Db,
  workspaceId: WorkspaceId,
  name: string,
): Promise<ProfilesTable | undefined> {
  return db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('profile', '=', name)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** By title. */
export function currentProfiles(db: Db, workspaceId: WorkspaceId): Promise<ProfilesTable[]> {
  return db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .orderBy('profile')
    .execute()
}

/** A profile of the workspace or, if it has none with this name, of the service. */
export async function findProfile(
  db: Db,
  shipped: ShippedProfiles,
  workspaceId: WorkspaceId,
  name: string,
): Promise<Profile | undefined> {
  const row = name === DEFAULT ? undefined : await currentProfile(db, workspaceId, name)
  return row === undefined ? shipped.get(name) : profileOf(row)
}

/** Throws if a submission of this workspace cannot use the profile. */
export async function requireProfile(
  db: Db,
  shipped: ShippedProfiles,
  workspaceId: WorkspaceId,
  name: string,
): Promise<void> {
  if ((await findProfile(db, shipped, workspaceId, name)) !== undefined) return
  const own = (await currentProfiles(db, workspaceId)).map(({ profile }) => profile)
  const names = [...new Set([...shipped.keys(), ...own])].toSorted()
  throw new Refusal('body_invalid', `profile must be one of ${names.join(', ')}.`, { param: 'profile' })
}

/** The version that a new submission is checked with. Null for a profile of the service. */
export async function profileVersion(db: Db, workspaceId: WorkspaceId, name: string): Promise<number | null> {
  return name === DEFAULT ? null : ((await currentProfile(db, workspaceId, name))?.version ?? null)
}

/** The profile that a submission was created with. */
export async function profileOfSubmission(
  db: Db,
  shipped: ShippedProfiles,
  submission: {
    readonly workspace_id: WorkspaceId
    readonly profile: string
    readonly profile_version: number | null
  },
): Promise<Profile> {
  const { workspace_id, profile: name, profile_version: version } = submission
  const row =
    version === null
      ? undefined
      : await db
          .selectFrom('profiles')
          .select('document')
          .where('workspace_id', '=', workspace_id)
          .where('profile', '=', name)
          .where('version', '=', version)
          .executeTakeFirst()
  const profile = row === undefined ? shipped.get(name) : profileOf(row)
  if (profile === undefined) throw new Error(`unknown profile ${name}`)
  return profile
}

/** Was validated before it was stored. */
export function profileOf({ document }: Pick<ProfilesTable, 'document'>): Profile {
  const parsed = parseProfile(Buffer.from(document))
  if (!parsed.ok) throw new Error(`a stored profile is invalid: ${parsed.problems.join('; ')}`)
  return parsed.value
}
