import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, replaceGuard, required } from './parts.ts'

/** A workspace names itself, and a member has a name and can change their address. A session says if it ended as stolen. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('workspaces')
    .addColumn('named_by', 'text', (c) => required(c).defaultTo('operator'))
    .execute()
  await sql`update workspaces set named_by = 'service' where name = 'default'`.execute(db)
  await db.schema.alterTable('workspaces').dropColumn('proposed_name').execute()
  for (const event of ['insert', 'update'] as const)
    await dialect.createGuard(db, {
      name: `workspaces_named_by_${event}`,
      on: 'workspaces',
      event,
      when: `new.named_by not in ('service', 'workspace', 'operator')`,
      message: 'a workspace is named by the service, by itself or by the operator',
    })
  await db.schema.alterTable('members').addColumn('name', 'text').execute()
  await replaceGuard(db, dialect, MEMBERS_FIXED)
  await db.schema.alterTable('sessions').addColumn('ended_as', 'text').execute()
}

const MEMBERS_FIXED = {
  name: 'members_fixed',
  on: 'members',
  event: 'update',
  when: `${changed('member_id', 'workspace_id', 'created_at')}
    or old.removed_at is not null or new.role not in ('owner', 'member', 'viewer')`,
  message: 'a member stays in its workspace, and a removed one stays removed',
} as const
