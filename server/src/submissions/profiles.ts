import { parseProfile, type Profile, profileDocument } from '@kitseal/examiner'
import { BOUNDARY } from '@kitseal/kit/internal'
import { Type } from 'typebox'
import type { AuditAction } from '../audit/event-types.ts'
import type { Db, ProfilesTable } from '../database/schema.ts'
import { submissionTables } from '../database/submission-tables.ts'
import type { Unit } from '../database/unit.ts'
import { ListOf, listResponse } from '../http/page-query.ts'
import { answer, body } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Boundary, Closed, LABEL, NullableInteger, NullableTime, OneOf } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

/** Checklists for evidence. The same rules as spec/schemas/profile.json. */

const NAME = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'
const Name = (description: string) => Type.String({ pattern: NAME, description })
const Texts = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 50, description })

const ITEM = {
  id: Name('No two items of a profile have the same.'),
  title: Type.String({ ...LABEL }),
  description: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'What to supply.' })),
  example: Type.Optional(Type.String({ ...LABEL, description: 'The name of a file that would match.' })),
  controls: Type.Optional(Texts('References to controls of a standard, such as `CC6.1`.')),
  paths: Type.Optional(
    Texts(
      'Patterns of file names. A file in a folder with the ID of the item always counts, so patterns are optional.',
    ),
  ),
  types: Type.Optional(Texts('Types that count, such as `pdf`. Any, if absent.')),
  min_files: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, default: 1, description: '0 makes the item optional.' }),
  ),
  max_age_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description: 'Counted from the last date YYYY-MM-DD in the path of a file.',
    }),
  ),
}

const NAMED = {
  profile: Name('The name that submissions use.'),
  title: Type.String({ ...LABEL }),
  description: Type.String({ minLength: 1, maxLength: 2000 }),
}

const POLICY = {
  evidence_policy: Type.Optional(
    OneOf(['open', 'examined_only'], 'With `examined_only`, files that are not examined are not accepted.'),
  ),
  finding_classes: Type.Optional(
    Type.Record(Type.String(), OneOf(['danger', 'damage', 'notice']), {
      description: 'Stricter classes of findings, by code.',
    }),
  ),
}

const ProfileRequest = body(
  'ProfileRequest',
  { ...NAMED, ...POLICY, items: Type.Array(Closed(ITEM), { maxItems: 500 }) },
  'A new profile, or a new version of one.',
)
type ProfileRequest = NonNullable<typeof ProfileRequest.sends>

const PROFILE = {
  ...NAMED,
  ...POLICY,
  items: Type.Array(Type.Object(ITEM)),
  source: OneOf(['service', 'workspace'], 'Profiles of the service are read-only.'),
  version: NullableInteger('Counted from 1. Null for profiles of the service.'),
  updated_at: NullableTime('Null for profiles of the service.'),
}

type Shown = ReturnType<typeof ofWorkspace> | ReturnType<typeof ofService>

const ofWorkspace = (row: Pick<ProfilesTable, 'document' | 'version' | 'created_at'>) => ({
  ...profileDocument(profileOf(row)),
  source: 'workspace',
  version: row.version,
  updated_at: row.created_at,
})

const ofService = (profile: Profile) => ({
  ...profileDocument(profile),
  source: 'service',
  version: null,
  updated_at: null,
})

const ProfileAnswer = answer<Shown>(
  'Profile',
  'A checklist of what evidence for one purpose must contain.',
  { ...PROFILE, boundary: Boundary() },
  (shown) => ({ ...shown, boundary: BOUNDARY }),
)
const ProfileList = answer<readonly Shown[]>(
  'ProfileList',
  'Sorted by title, `default` first.',
  ListOf(Type.Object(PROFILE)),
  (all) => listResponse(all),
)

const { profiles } = submissionTables
const MAX_PROFILES = 200
const read = { scope: 'read', role: 'viewer' } as const
/** 500 items with long descriptions. */
const written = {
  access: { scope: 'admin', role: 'manager' },
  bodyLimit: 2 * 1024 * 1024,
  body: ProfileRequest,
  returns: ProfileAnswer,
} as const
const path = { profile: Type.String({ description: 'The name of the profile.' }) }

interface Profiles {
  readonly profiles: ShippedProfiles
}

export const profileRoutes = [
  route('listProfiles', 'GET /v1/profiles', {
    access: read,
    summary: 'List profiles',
    description: 'Those of the workspace, and those that ship with the service.',
    returns: ProfileList,
    async read({ db, workspaceId }, _call, { profiles: shipped }: Profiles) {
      const own = (await currentProfiles(db, workspaceId).execute()).map(ofWorkspace)
      const names = new Set(own.map(({ profile }) => profile))
      const others = [...shipped.values()].map(ofService).filter(({ profile }) => !names.has(profile))
      return [...own, ...others].toSorted(byTitle)
    },
  }),
  route('getProfile', 'GET /v1/profiles/:profile', {
    access: read,
    summary: 'Get a profile',
    description: 'The newest version of the checklist, with every item.',
    path,
    returns: ProfileAnswer,
    async read({ db, workspaceId }, { params: { profile: name } }, { profiles: shipped }: Profiles) {
      const own = await currentProfile(db, workspaceId, name)
      if (own !== undefined) return ofWorkspace(own)
      const found = shipped.get(name)
      if (found === undefined) throw notFound()
      return ofService(found)
    },
  }),
  route('createProfile', 'POST /v1/profiles', {
    ...written,
    summary: 'Create a profile',
    description: 'Submissions of the workspace can use it at once.',
    once: 'A retry with the same key within 24 hours returns the first response.',
    example: {
      profile: 'board-pack',
      title: 'Board pack',
      description: 'For each meeting.',
      items: [{ id: 'minutes', title: 'Minutes' }],
    },
    location: '/v1/profiles/:profile',
    codes: ['profile_exists', 'profile_limit'],
    async handle(unit, { body: request }, { profiles: shipped }: Profiles) {
      const name = request.profile
      const current = await currentProfiles(unit.db, unit.workspaceId).execute()
      if (shipped.has(name) || current.some(({ profile }) => profile === name))
        throw new Refusal('profile_exists', `There is a profile ${name} already. Choose another name.`)
      if (current.length >= MAX_PROFILES)
        throw new Refusal('profile_limit', `A workspace can have ${MAX_PROFILES} profiles. Delete one first.`)
      await unit.record('profile.created', name)
      return insertVersion(unit, request)
    },
  }),
  route('replaceProfile', 'PUT /v1/profiles/:profile', {
    ...written,
    summary: 'Change a profile',
    description:
      'Creates a new version. Submissions that exist keep the version that they were created with.',
    path,
    example: { profile: 'minutes', title: 'Minutes', description: 'For each meeting.', items: [] },
    codes: ['profile_read_only'],
    async handle(unit, { params, body: request }, { profiles: shipped }: Profiles) {
      if (request.profile !== params.profile)
        throw new Refusal(
          'body_invalid',
          'profile must be the name in the path. A profile cannot be renamed.',
          { param: 'profile' },
        )
      await endCurrent(unit, shipped, params.profile, 'profile.changed')
      return insertVersion(unit, request)
    },
  }),
  route('deleteProfile', 'DELETE /v1/profiles/:profile', {
    access: written.access,
    summary: 'Delete a profile',
    description: 'New submissions can no longer use it. Those that exist keep their version.',
    path,
    codes: ['profile_read_only'],
    handle: (unit, { params }, { profiles: shipped }: Profiles) =>
      endCurrent(unit, shipped, params.profile, 'profile.deleted'),
  }),
]

const byTitle = (a: Shown, b: Shown): number =>
  Number(b.profile === 'default') - Number(a.profile === 'default') || a.title.localeCompare(b.title, 'en')

/** Recorded first, because that locks the workspace. Submissions that use the version keep it. */
async function endCurrent(
  unit: Unit,
  shipped: ShippedProfiles,
  name: string,
  action: Extract<AuditAction, `profile.${string}`>,
): Promise<void> {
  await unit.record(action, name)
  const row = await currentProfile(unit.db, unit.workspaceId, name)
  if (row === undefined && shipped.has(name))
    throw new Refusal(
      'profile_read_only',
      `${name} ships with the service. Create a copy with another name to change it.`,
    )
  if (row === undefined) throw notFound()
  await unit.db
    .updateTable('profiles')
    .set({ ended_at: unit.at })
    .where('workspace_id', '=', unit.workspaceId)
    .where('profile', '=', name)
    .where('ended_at', 'is', null)
    .execute()
}

const notFound = (): Refusal => new Refusal('profile_not_found', 'Profile not found in this workspace.')

/** Versions stay, so that their number is the last one. */
async function insertVersion(unit: Unit, request: ProfileRequest): Promise<Shown> {
  const { profile } = request
  const version = 1 + (await unit.own(profiles).where('profile', '=', profile).count())
  return ofWorkspace(await unit.insert(profiles, { profile, version, document: documentOf(request) }))
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

/** The profiles that ship with the service, by name. */
export type ShippedProfiles = ReadonlyMap<string, Profile>

/** Every workspace has it, and none can replace it. */
const DEFAULT = 'default'

/** The current versions of the profiles of a workspace, by name. */
const currentProfiles = (db: Db, workspaceId: WorkspaceId) =>
  db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .orderBy('profile')

const currentProfile = (db: Db, workspaceId: WorkspaceId, name: string): Promise<ProfilesTable | undefined> =>
  currentProfiles(db, workspaceId).where('profile', '=', name).executeTakeFirst()

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
  const own = (await currentProfiles(db, workspaceId).execute()).map(({ profile }) => profile)
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
function profileOf({ document }: Pick<ProfilesTable, 'document'>): Profile {
  const parsed = parseProfile(Buffer.from(document))
  if (!parsed.ok) throw new Error(`a stored profile is invalid: ${parsed.problems.join('; ')}`)
  return parsed.value
}
