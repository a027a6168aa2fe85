import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, replaceGuard } from './parts.ts'

/** Who submitted a round of a request, as stated. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('request_rounds').addColumn('sender', 'text').execute()
  await replaceGuard(db, dialect, {
    name: 'request_rounds_fixed',
    on: 'request_rounds',
    event: 'update',
    when: `${changed('request_id', 'round', 'submission_id')}`,
    message: 'a round keeps its submission',
  })
}
