import { type Clock } from '../runtime/clock.ts'
import { takeLock } from '../database/advisory-lock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import { ensureDefaultPlan } from './plans.ts'
import { createWorkspace } from './workspaces.ts'

/** Creates the workspace `default` on first start. Returns its API key, which is shown once and not stored. */
export async function ensureFirstWorkspace(
  db: Db,
  clock: Clock,
  identifiers: Identifiers,
): Promise<string | undefined> {
  await ensureDefaultPlan(db, clock)
  if (await hasWorkspace(db)) return undefined
  return transact(db, async (trx) => {
    // Several nodes may start at once.
    await takeLock(trx, 'firstWorkspace')
    if (await hasWorkspace(trx)) return undefined
    const request = { name: 'default', plan: 'default', credits: null, keyLabel: 'first' }
    const made = await createWorkspace(trx, { clock, identifiers }, request, { is: 'service' })
    return made.key.text
  })
}

async function hasWorkspace(db: Db): Promise<boolean> {
  return (await db.selectFrom('workspaces').select('workspace_id').limit(1).executeTakeFirst()) !== undefined
}
