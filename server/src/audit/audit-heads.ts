import { setTimeout as sleep } from 'node:timers/promises'
import { AUDIT_VERSION, type AuditHead, auditLeaf, fromUtf8 } from '@kitseal/kit/internal'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { appendLeaf } from '../database/append-leaf.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { LogFrozen } from '../log/freeze-log.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import { Refusal } from '../refusals.ts'

export interface AuditHeadContext {
  readonly db: Db
  readonly clock: Clock
  readonly transparencyLog: Pick<TransparencyLog, 'sequence' | 'published' | 'prover' | 'proofAt'>
}

/** How long to wait for the witnesses. */
const WAIT_MS = 3000
const POLL_MS = 100

/**
 * The newest event of a workspace as a leaf of the transparency log, and the proof of it. If the log does not grow, or its
 * witnesses do not answer, an older one that they have cosigned.
 */
export async function currentHead(ctx: AuditHeadContext, workspaceId: WorkspaceId): Promise<AuditHead> {
  await logHead(ctx.db, workspaceId, timestamp(ctx.clock.now()))
  const until = performance.now() + WAIT_MS
  for (;;) {
    const isLate = performance.now() > until
    const found = await provenHead(ctx, workspaceId, isLate)
    if (found !== undefined) {
      return { audit_version: AUDIT_VERSION, audit_tag: await readAuditTag(ctx.db, workspaceId), ...found }
    }
    if (isLate)
      throw new Refusal('store_unavailable', 'This audit log is not in the transparency log yet. Try again.')
    await sleep(POLL_MS)
  }
}

type ProvenHead = Pick<AuditHead, 'count' | 'head' | 'log_proof'>

async function provenHead(
  { db, transparencyLog: log }: AuditHeadContext,
  workspaceId: WorkspaceId,
  isLate: boolean,
): Promise<ProvenHead | undefined> {
  try {
    if ((await newestHeads(db, workspaceId, 1))[0]?.leaf_index === null) await log.sequence()
    const heads = await newestHeads(db, workspaceId, isLate ? MAX_HEADS : 1)
    const prove = log.prover((await log.published()).slice(0, 1))
    for (const head of heads) {
      const proof = head.leaf_index === null ? undefined : await prove(head.leaf_index)
      if (proof !== undefined) return proven(head, proof.bytes)
    }
    const logged = isLate ? heads.find(({ leaf_index }) => leaf_index !== null) : undefined
    if (typeof logged?.leaf_index === 'number') return proven(logged, await log.proofAt(logged.leaf_index))
    return undefined
  } catch (error) {
    if (error instanceof LogFrozen) throw new Refusal('store_unavailable', 'The transparency log is frozen.')
    throw error
  }
}

const proven = ({ count, head }: Pick<AuditHead, 'count' | 'head'>, proof: Uint8Array): ProvenHead => ({
  count: Number(count),
  head,
  log_proof: fromUtf8(proof) ?? '',
})

const MAX_HEADS = 100

function newestHeads(db: Db, workspaceId: WorkspaceId, limit: number) {
  return db
    .selectFrom('audit_heads')
    .innerJoin('log_leaves', 'log_leaves.leaf_id', 'audit_heads.leaf_id')
    .select(['audit_heads.count', 'audit_heads.head', 'log_leaves.leaf_index'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('audit_heads.count', 'desc')
    .limit(limit)
    .execute()
}

/** Adds the head of a workspace to the log, unless it is there. Returns whether it was added. */
export function logHead(db: Db, workspaceId: WorkspaceId, at: string): Promise<boolean> {
  return transact(db, async (trx) => {
    const newest = await newestEvent(trx, workspaceId)
    if (newest === undefined) return false
    const { sequence: count, hash: head } = newest
    const added = await trx
      .insertInto('audit_heads')
      .values({ workspace_id: workspaceId, count, head, leaf_id: null, logged_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) return false
    const leaf_id = await appendLeaf(
      trx,
      auditLeaf({ audit_tag: await readAuditTag(trx, workspaceId), count, head }),
    )
    await trx
      .updateTable('audit_heads')
      .set({ leaf_id })
      .where('workspace_id', '=', workspaceId)
      .where('count', '=', count)
      .execute()
    return true
  })
}

/** Adds the head of every audit log that has grown. Returns how many. */
export async function logHeads({ db, clock }: Pick<AuditHeadContext, 'db' | 'clock'>): Promise<number> {
  const grown = await db
    .selectFrom('workspaces')
    .select('workspace_id')
    .where(({ selectFrom, not, exists }) =>
      not(
        exists(
          selectFrom('audit_heads')
            .select('count')
            .whereRef('audit_heads.workspace_id', '=', 'workspaces.workspace_id')
            .whereRef('audit_heads.count', '=', 'workspaces.audit_events'),
        ),
      ),
    )
    .execute()
  let added = 0
  for (const { workspace_id } of grown)
    if (await logHead(db, workspace_id, timestamp(clock.now()))) added += 1
  return added
}

/** `prev` of the first event. */
async function readAuditTag(db: Db, workspaceId: WorkspaceId): Promise<string> {
  const { prev } = await db
    .selectFrom('audit_events')
    .select('prev')
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '=', 1)
    .executeTakeFirstOrThrow()
  return prev
}

async function newestEvent(trx: Db, workspaceId: WorkspaceId) {
  const newest = await trx
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && { sequence: Number(newest.sequence), hash: newest.hash }
}
