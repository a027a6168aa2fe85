import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, createIndexes, primaryKey, replaceGuard, required } from './parts.ts'

/** Who submitted a round of a request, as stated or as confirmed by a code, and where the copy of its kit is mailed. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('request_rounds').addColumn('sender', 'text').execute()
  await db.schema.alterTable('request_rounds').addColumn('copy_to', 'text').execute()
  await replaceGuard(db, dialect, {
    name: 'request_rounds_fixed',
    on: 'request_rounds',
    event: 'update',
    when: `${changed('request_id', 'round', 'submission_id')}
      or (old.sender is not null and ${changed('sender')}) or (old.copy_to is not null and ${changed('copy_to')})`,
    message: 'a round keeps its submission and its sender',
  })
  await db.schema
    .createTable('request_senders')
    .addColumn('browser_sha256', 'text', primaryKey)
    .addColumn('link_id', 'text', required)
    .addColumn('submission_id', 'text', required)
    .addColumn('name', 'text')
    .addColumn('seals_address', 'integer', required)
    .addColumn('wants_copy', 'integer', required)
    .addColumn('address', 'text')
    .addColumn('code_sha256', 'text')
    .addColumn('tries', 'integer', required)
    .addColumn('expires_at', 'text')
    .addColumn('confirmed_at', 'text')
    .addColumn('updated_at', 'text', required)
    .execute()
  await createIndexes(db, [
    'index request_senders_by_submission on request_senders (submission_id)',
    'index request_senders_by_time on request_senders (updated_at)',
  ])
}
