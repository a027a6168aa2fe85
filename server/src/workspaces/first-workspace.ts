import type { Kysely } from 'kysely'
import { type Clock } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import type { Identifiers } from '../identifiers.ts'
import { ensureDefaultPlan } from './plans.ts'
import { workspaces } from './workspaces.ts'

const FIRST_CREDITS = 100

/**
 * On the very first start there is nobody yet: a workspace `default` with some credits lets one begin at once. Returns
 * its key, which is shown once and kept nowhere.
 */
export async function ensureFirstWorkspace(
  db: Kysely<Database>,
  clock: Clock,
  identifiers: Identifiers,
): Promise<string | undefined> {
  await ensureDefaultPlan(db, clock)
  const some = await db.selectFrom('workspaces').select('workspace_id').limit(1).executeTakeFirst()
  if (some !== undefined) return undefined
  const asked = { name: 'default', plan: 'default', credits: FIRST_CREDITS, keyLabel: 'first' }
  const made = await workspaces({ db, clock, identifiers }).create(asked, { is: 'service' })
  return made.key.text
}
