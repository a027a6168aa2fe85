import type { Kysely } from 'kysely'
import { createIndexes } from './parts.ts'

/** What a member made that is still open, for the list before they are removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, [
    'index shares_by_maker on shares (created_by) where revoked_at is null',
    'index requests_by_maker on requests (created_by) where closed_at is null',
  ])
}
