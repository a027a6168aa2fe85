import { type Language, LANGUAGES } from '@kitseal/kit/internal'
import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[]

/** The language of the mails of a workspace. */
export async function languageOf(db: Db, workspaceId: WorkspaceId | null): Promise<Language> {
  if (workspaceId === null) return 'en'
  const found = db.selectFrom('workspaces').select('language').where('workspace_id', '=', workspaceId)
  return (await found.executeTakeFirst())?.language ?? 'en'
}

/** The row of a workspace that exists. */
export const workspaceRow = (db: Db, workspaceId: WorkspaceId) =>
  db.selectFrom('workspaces').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow()

/** Whether a query finds anything. */
export async function isFound<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<boolean> {
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** How many rows a query finds. */
export async function countOf<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, {}>,
): Promise<number> {
  const counted = query.select(({ fn }) => fn.countAll().as('count')).$castTo<{ readonly count: number }>()
  return Number((await counted.executeTakeFirstOrThrow()).count)
}
