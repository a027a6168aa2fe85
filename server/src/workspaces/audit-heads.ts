// docs/decisions/0369
import { AUDIT_VERSION, type AuditHead, auditLeaf, fromUtf8 } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import { appendLeaf } from '../database/append-leaf.ts'
import { chainEvents, firstPrev, lockAuditLog } from '../database/audit-chain.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceId } from '../identifiers.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import { Refusal } from '../refusals.ts'

export interface AuditHeadContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly transparencyLog: Pick<TransparencyLog, 'sequence' | 'proofAt'>
}

/** The newest event of a workspace as a leaf of the transparency log, and the proof of it. */
export async function currentHead(ctx: AuditHeadContext, workspaceId: WorkspaceId): Promise<AuditHead> {
  await logHead(ctx.db, workspaceId, timestamp(ctx.clock.now()))
  const { count, head, index } = await newestInTree(ctx, workspaceId)
  const proof = await ctx.transparencyLog.proofAt(index)
  const audit_tag = firstPrev(workspaceId)
  return { audit_version: AUDIT_VERSION, audit_tag, count, head, log_proof: fromUtf8(proof) ?? '' }
}

/** Adds the head of a workspace to the log, unless it is there. Returns whether it was added. */
export function logHead(db: Kysely<Database>, workspaceId: WorkspaceId, at: string): Promise<boolean> {
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
    const leaf_id = await appendLeaf(trx, auditLeaf({ audit_tag: firstPrev(workspaceId), count, head }))
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

async function newestEvent(
  trx: Kysely<Database>,
  workspaceId: WorkspaceId,
): Promise<{ readonly sequence: number; readonly hash: string } | undefined> {
  const read = () =>
    trx
      .selectFrom('audit_events')
      .select(['sequence', 'hash'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst()
  let newest = await read()
  if (newest?.hash === null) {
    await lockAuditLog(trx, workspaceId)
    await chainEvents(trx, workspaceId)
    newest = await read()
  }
  if (newest === undefined || newest.hash === null) return undefined
  return { sequence: Number(newest.sequence), hash: newest.hash }
}

interface LoggedHead {
  readonly count: number
  readonly head: string
  readonly index: number
}

/** While the log cannot grow, the last head in the tree counts. */
async function newestInTree(
  { db, transparencyLog }: AuditHeadContext,
  workspaceId: WorkspaceId,
): Promise<LoggedHead> {
  const read = (inTree: boolean) => {
    const heads = db
      .selectFrom('audit_heads')
      .innerJoin('log_leaves', 'log_leaves.leaf_id', 'audit_heads.leaf_id')
      .select(['audit_heads.count', 'audit_heads.head', 'log_leaves.leaf_index'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('audit_heads.count', 'desc')
      .limit(1)
    return (inTree ? heads.where('log_leaves.leaf_index', 'is not', null) : heads).executeTakeFirst()
  }
  let found = await read(false)
  for (let sequenced = 1; found?.leaf_index === null && sequenced > 0; found = await read(false))
    sequenced = await transparencyLog.sequence()
  if (found?.leaf_index === null) found = await read(true)
  if (found === undefined || found.leaf_index === null)
    throw new Refusal(
      'store_unavailable',
      'The transparency log does not contain this audit log yet. Try again.',
    )
  return { count: Number(found.count), head: found.head, index: Number(found.leaf_index) }
}
