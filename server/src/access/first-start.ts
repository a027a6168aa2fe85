import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { takeLock } from '../database/dialect.ts'
import { isFound } from '../database/questions.ts'
import type { Db } from '../database/schema.ts'
import type { Units } from '../database/unit.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Identifiers } from '../runtime/identifiers.ts'
import { createKey } from './api-keys.ts'
import { ensureDefaultPlan } from './plans.ts'
import { createWorkspace } from './workspaces.ts'

interface FirstStart {
  readonly db: Db
  readonly units: Units
  readonly clock: Clock
  readonly identifiers: Identifiers
}

/** Creates the workspace `default` on first start. Returns its API key, which is shown once and not stored. */
export async function ensureFirstWorkspace({ db, units, clock, identifiers }: FirstStart) {
  await ensureDefaultPlan(db, clock)
  if (await hasWorkspace(db)) return undefined
  const acting = { workspaceId: identifiers.workspaceId(), actor: { is: 'service' } } as const
  return units.write(acting, 'first start', async (unit) => {
    // Several nodes may start at once.
    await takeLock(unit.db, 'firstWorkspace')
    if (await hasWorkspace(unit.db)) return undefined
    await createWorkspace(unit, { name: 'default', plan: 'default', credits: null })
    return (await createKey(unit, { label: 'first' })).text
  })
}

const hasWorkspace = (db: Db): Promise<boolean> => isFound(db.selectFrom('workspaces').select('workspace_id'))

/** Holds the API key and the owner's link of the first start if no terminal can show them. */
export const firstStartFile = (dataFolder: string): string => join(dataFolder, 'first-start.txt')

/** A file that is already there belongs to a database that is gone. */
export async function writeFirstStart(dataFolder: string, text: string): Promise<void> {
  const path = firstStartFile(dataFolder)
  await rm(path, { force: true })
  await writeFile(path, text, { flag: 'wx', mode: 0o600 })
}

/** Deletes the file once a person has signed in, at any node. */
export async function removeFirstStart(db: Db, dataFolder: string): Promise<void> {
  const path = firstStartFile(dataFolder)
  if (!existsSync(path)) return
  if (await isFound(db.selectFrom('sessions').select('session_id'))) await rm(path, { force: true })
}
