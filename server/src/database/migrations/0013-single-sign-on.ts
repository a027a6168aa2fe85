import type { Kysely } from 'kysely'
import { createIndexes } from './parts.ts'

/** When single sign-on last opened a membership. Of those that exist, it is unknown who else holds a passkey or session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('members').addColumn('sso_at', 'text').execute()
  await createIndexes(db, ['index members_by_sso on members (email) where sso_at is not null'])
}
