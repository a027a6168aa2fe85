import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Existing keys keep every scope, and so do keys that a node of an earlier release creates. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`alter table api_keys
    add column scopes text not null default 'submit read requests shares admin'`.execute(db)
  await dialect.createGuard(db, {
    name: 'api_keys_scopes',
    on: 'api_keys',
    event: 'update',
    when: 'new.scopes is distinct from old.scopes',
    message: 'the scopes of a key do not change',
  })
}
