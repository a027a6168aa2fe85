import { createKey } from '../src/access/api-keys.ts'
import { ensureDefaultPlan } from '../src/access/plans.ts'
import { createWorkspace } from '../src/access/workspaces.ts'
import { recordInUnit } from '../src/audit/audit-trail.ts'
import type { Db } from '../src/database/schema.ts'
import { Units } from '../src/database/unit.ts'
import { secretsAtRest } from '../src/keys/secrets-at-rest.ts'
import { type Clock, systemClock } from '../src/runtime/clock.ts'
import { randomIdentifiers, type WorkspaceId } from '../src/runtime/identifiers.ts'

/** Units on a database alone: they queue nothing. */
export const unitsOn = (db: Db, clock: Clock = systemClock): Units =>
  new Units({
    db,
    clock,
    cipher: secretsAtRest(undefined),
    id: randomIdentifiers().id,
    record: recordInUnit,
    queue: async () => {},
  })

/** A workspace on the default plan, with an API key. */
export async function newWorkspace(db: Db, clock: Clock = systemClock): Promise<WorkspaceId> {
  await ensureDefaultPlan(db, clock)
  const workspaceId = randomIdentifiers().workspaceId()
  await unitsOn(db, clock).write(
    { workspaceId, actor: { is: 'operator' } },
    'new workspace',
    async (unit) => {
      await createWorkspace(unit, { name: 'Acme', plan: 'default', credits: 0 })
      await createKey(unit, { label: 'test' })
    },
  )
  return workspaceId
}
