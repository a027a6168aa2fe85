import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Profiles of workspaces, in versions: a submission is checked with the version that it was created with. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('profiles')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('profile', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('document', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addPrimaryKeyConstraint('profiles_primary_key', ['workspace_id', 'profile', 'version'])
    .execute()
  await sql`create unique index profiles_current on profiles (workspace_id, profile) where ended_at is null`.execute(
    db,
  )
  await db.schema.alterTable('submissions').addColumn('profile_version', 'integer').execute()
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

const RULES = [
  {
    name: 'profiles_stay',
    on: 'profiles',
    event: 'delete',
    when: 'true',
    message: 'versions of profiles are not deleted',
  },
  {
    name: 'profiles_fixed',
    on: 'profiles',
    event: 'update',
    when: `${['workspace_id', 'profile', 'version', 'document', 'created_at'].map((name) => `new.${name} is distinct from old.${name}`).join(' or ')}
      or (old.ended_at is not null and new.ended_at is distinct from old.ended_at)`,
    message: 'a version of a profile does not change',
  },
  {
    name: 'submissions_profile_version',
    on: 'submissions',
    event: 'update',
    when: 'new.profile_version is distinct from old.profile_version',
    message: 'what a submission was created with stays',
  },
] as const
