import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Who a link was made for, and which link of a share was used. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`alter table links add column recipient text`.execute(db)
  await sql`alter table share_accesses add column link_id text`.execute(db)
  await dialect.createGuard(db, {
    name: 'links_recipient_fixed',
    on: 'links',
    event: 'update',
    when: 'new.recipient is distinct from old.recipient',
    message: 'a link does not change',
  })
}
