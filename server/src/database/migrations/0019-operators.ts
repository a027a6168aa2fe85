import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, primaryKey, replaceGuard, required } from './parts.ts'

/** Managers, who rank between members and owners, and operators: people who look after the service in the console. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await replaceGuard(db, dialect, {
    name: 'members_begin',
    on: 'members',
    event: 'insert',
    when: `new.role not in (${ROLES}) or new.removed_at is not null`,
    message: 'a member has one of the roles',
  })
  await replaceGuard(db, dialect, {
    name: 'members_fixed',
    on: 'members',
    event: 'update',
    when: `${changed('member_id', 'workspace_id', 'created_at')}
      or old.removed_at is not null or new.role not in (${ROLES})`,
    message: 'a member stays in its workspace, and a removed one stays removed',
  })
  await db.schema.alterTable('members').addColumn('confirmed_at', 'text').execute()
  await db.schema
    .createTable('operators')
    .addColumn('email', 'text', primaryKey)
    .addColumn('added_at', 'text', required)
    .execute()
}

const ROLES = `'owner', 'manager', 'member', 'viewer'`
