import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../../server/src/runtime/clock.ts'
import type { Database } from '../../server/src/database/schema.ts'
import { openSqlite } from '../../server/src/database/sqlite.ts'
import { DECLARED } from '../../server/src/tables.ts'
import { transact } from '../../server/src/database/transact.ts'
import { randomIdentifiers, type WorkspaceId } from '../../server/src/runtime/identifiers.ts'
import { fileKeys } from '../../server/src/keys/file-signer.ts'
import type { Actor } from '../../server/src/runtime/actor.ts'
import { recordEvents } from '../../server/src/audit/audit-trail.ts'
import { ensureDefaultPlan } from '../../server/src/access/plans.ts'
import { workspaces } from '../../server/src/access/workspaces.ts'

const BATCH = 10_000
export const OPERATOR: Actor = { is: 'operator' }

/** Workspaces with events on SQLite, without a service. */
export interface BenchEvents extends AsyncDisposable {
  readonly db: Kysely<Database>
  readonly keys: ReturnType<typeof fileKeys>
  /** A workspace with so many events. */
  workspace(events: number): Promise<WorkspaceId>
}

export async function benchEvents(clock: Clock): Promise<BenchEvents> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-events-'))
  const db = await openSqlite(join(folder, 'kitseal.sqlite'), undefined, { tables: DECLARED })
  await ensureDefaultPlan(db, clock)
  const own = workspaces({ db, clock, identifiers: randomIdentifiers() })
  return {
    db,
    keys: fileKeys({ directory: join(folder, 'keys') }),
    workspace: async (events) => {
      const terms = { name: 'Acme', plan: 'default', credits: 0, keyLabel: 'first' }
      const { workspaceId } = await own.create(terms, OPERATOR)
      const has = await db
        .selectFrom('workspaces')
        .select('audit_events')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
      for (let made = Number(has.audit_events); made < events; made += BATCH) {
        const event = {
          workspaceId,
          actor: OPERATOR,
          action: 'submission.passed',
          subject: 'sub_4Xw0s6S1d2v3b4n5m6a7s8d9f0g',
          details: { kit_id: 'kit_4Xw0s6S1d2v3b4n5m6a7s8d9f0g' },
          at: timestamp(clock.now()),
        } as const
        const rows = Array.from({ length: Math.min(BATCH, events - made) }, () => event)
        await transact(db, (trx) => recordEvents(trx, rows))
      }
      return workspaceId
    },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await rm(folder, { recursive: true })
    },
  }
}
