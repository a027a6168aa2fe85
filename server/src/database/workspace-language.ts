import { type Language, LANGUAGES } from '@kitseal/kit/internal'
import type { Db } from './schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[]

/** The language of the mails of a workspace. */
export async function languageOf(db: Db, workspaceId: WorkspaceId | null): Promise<Language> {
  if (workspaceId === null) return 'en'
  const found = db.selectFrom('workspaces').select('language').where('workspace_id', '=', workspaceId)
  return (await found.executeTakeFirst())?.language ?? 'en'
}
