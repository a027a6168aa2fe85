import { type Kysely, sql } from 'kysely'
import { noteQueued, type Place, placeIn } from '../database/queued-tasks.ts'
import { type Param, prepared, withRows } from '../database/statements.ts'
import type { Database, Db } from '../database/schema.ts'
import type { TasksTable } from '../database/schema.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

/** Something that has to be done, once it is due. */
interface NewTask {
  readonly kind: string
  /** Names it among those of its kind: queued twice, it is done once. */
  readonly key: string
  /** Workspaces take turns. */
  readonly workspaceId: WorkspaceId | null
  readonly dueAt: string
}

/** A task that this node holds. */
export type Task = Readonly<TasksTable>

/** In the transaction of the change that causes it. If it is queued already, it is due at the earlier of both times. */
export async function queueTask(trx: Db, task: NewTask): Promise<void> {
  const { insertion, inserted } = newTask(trx, task)
  await insertion.execute()
  inserted()
}

/** The same, for a statement that inserts more. A node that begins a task which another one has queued before loses it to that one. */
export function newTask(trx: Db, task: NewTask) {
  const place = placeIn(trx, task.kind)
  const row = { ...newRow(task), ...(place === undefined ? {} : heldIn(place)) }
  return {
    insertion: trx
      .insertInto('tasks')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'key']).doUpdateSet((eb) => ({
          due_at: eb
            .case()
            .when('tasks.due_at', '>', eb.ref('excluded.due_at'))
            .then(eb.ref('excluded.due_at'))
            .else(eb.ref('tasks.due_at'))
            .end(),
        })),
      ),
    inserted: (): void => noteQueued(trx, row, place),
  }
}

const heldIn = ({ owner, heldUntil }: Place) => ({ owner, held_until: heldUntil, claims: 1, token: 1 })

/** If it is queued already, that stays. */
export async function ensureTask(trx: Db, task: NewTask): Promise<void> {
  const row = newRow(task)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('tasks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) noteQueued(trx, row)
}

/** Due at this time and no other, without the delay of earlier failures. If a node does it at this moment, that goes on. */
export async function restartTask(trx: Db, task: NewTask): Promise<void> {
  await trx
    .deleteFrom('tasks')
    .where('kind', '=', task.kind)
    .where('key', '=', task.key)
    .where('owner', 'is', null)
    .execute()
  await ensureTask(trx, task)
}

const newRow = ({ kind, key, workspaceId, dueAt }: NewTask): Task => ({
  kind,
  key,
  workspace_id: workspaceId,
  due_at: dueAt,
  attempts: 0,
  claims: 0,
  failing_since: null,
  owner: null,
  held_until: null,
  token: 0,
})

export const removeTask = async (trx: Db, kind: string, key: string): Promise<void> =>
  void (await trx.deleteFrom('tasks').where('kind', '=', kind).where('key', '=', key).execute())

/** The node that holds tasks. */
export interface Holder {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly owner: string
  /** How long after its last sign of life another node may take its tasks. */
  readonly leaseMs: number
}

/** Of one workspace, before it is the turn of the next one. */
const TOGETHER = 8

/** Workspaces take turns in the order of their IDs. Tasks without one take turns as if they had one in common. */
const TURN = sql<string>`coalesce(workspace_id, '')`

interface Claim {
  readonly now: string
  readonly until: string
  readonly after: string
}

/**
 * Claims the oldest due tasks of a kind that nobody holds, or those that have not failed yet: those of the workspace that comes after another one, so that one with
 * many tasks does not delay the others. Nodes that claim at the same time get different ones, without waiting.
 */
export function claimTasks(
  holder: Holder,
  kind: string,
): (after: string, most: number, onlyNew?: boolean) => Promise<readonly Task[]> {
  const { db, clock, owner, leaseMs } = holder
  const claims = new Map<string, ReturnType<typeof prepareClaim>>()
  const prepareClaim = (most: number, onlyNew: boolean) =>
    prepared(db, (param: Param<Claim>) =>
      db
        .with(
          (picked) => picked('picked').materialized(),
          () => dueTasks(db, kind, param('now'), param('after'), most, onlyNew),
        )
        .updateTable('tasks')
        .set((eb) => ({
          owner,
          held_until: param('until'),
          token: eb('token', '+', 1),
          claims: eb('claims', '+', 1),
        }))
        .where('kind', '=', kind)
        .where('key', 'in', (eb) => eb.selectFrom('picked').select('key'))
        .returningAll(),
    )
  return async (after, most, onlyNew = false) => {
    const limit = Math.min(most, TOGETHER)
    const name = `${limit} ${onlyNew}`
    const claim = claims.get(name) ?? prepareClaim(limit, onlyNew)
    claims.set(name, claim)
    const now = clock.now()
    const rows = await claim({ now: timestamp(now), until: timestamp(now + leaseMs), after })
    return rows.toSorted((a, b) => (`${a.due_at} ${a.key}` < `${b.due_at} ${b.key}` ? -1 : 1))
  }
}

/** Those of these kinds that have a task which nobody holds. */
export async function dueKinds(
  { db, clock }: Pick<Holder, 'db' | 'clock'>,
  kinds: readonly string[],
): Promise<readonly string[]> {
  if (kinds.length === 0) return []
  const known = kinds.map((kind) => ({ kind }))
  const rows = await withRows(db, 'known', known)
    .selectFrom('known')
    .select('kind')
    .where(({ exists }) =>
      exists(
        freeTasks(db, timestamp(clock.now()))
          .select('key')
          .where('tasks.kind', '=', sql.ref<string>('known.kind')),
      ),
    )
    .execute()
  return rows.map(({ kind }) => kind)
}

const freeTasks = (db: Db, now: string) =>
  db
    .selectFrom('tasks')
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<=', now)]))

export function dueTasks(
  db: Kysely<Database>,
  kind: string,
  now: string,
  after: string,
  most: number,
  onlyNew = false,
) {
  const free = freeTasks(db, now)
    .where('kind', '=', kind)
    .$if(onlyNew, (query) => query.where('attempts', '=', 0))
    .forUpdate()
    .skipLocked()
  const inTurn = free.select(TURN.as('turn')).orderBy(TURN).orderBy('due_at').orderBy('key').limit(1)
  return free
    .select('key')
    .where(TURN, '=', (eb) => eb.fn.coalesce(inTurn.where(TURN, '>', after), inTurn))
    .orderBy('due_at')
    .orderBy('key')
    .limit(most)
}

/** Done: it goes. Returns false if another node has taken it over. */
export async function finishTask(trx: Db, task: Task): Promise<boolean> {
  const { numDeletedRows } = await removalOf(trx, task.kind, [task]).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Removes tasks of one kind, but for those that another node has taken over. */
export const removalOf = (trx: Db, kind: string, tasks: readonly Task[]) =>
  withRows(
    trx,
    'done',
    tasks.map(({ key, token }) => ({ key, token })),
  )
    .deleteFrom('tasks')
    .where('kind', '=', kind)
    .where('key', 'in', (eb) => eb.selectFrom('done').select('key'))
    .where('token', '=', (eb) => eb.selectFrom('done').select('token').whereRef('done.key', '=', 'tasks.key'))

/** Given back, to be tried again. It counts as an attempt if it failed by its own fault. */
export async function postponeTask(
  holder: Pick<Holder, 'db' | 'clock'>,
  task: Task,
  { delayMs, fault, hasProgressed }: Postponed,
): Promise<void> {
  const now = timestamp(holder.clock.now())
  const { attempts, failing_since: since } = hasProgressed === true ? NOT_FAILING : task
  const failing_since = delayMs === 0 ? since : (since ?? now)
  const failed = { attempts: attempts + (fault === 'task' ? 1 : 0), failing_since }
  await giveBack(holder, task, delayMs, fault === 'none' ? NOT_FAILING : failed)
}

export interface Postponed {
  readonly delayMs: number
  /** Of the task itself, or of the environment, such as a full disk. */
  readonly fault: 'task' | 'environment' | 'none'
  /** It did something before it failed, so this is the first failure of a row. */
  readonly hasProgressed?: boolean
}

/** Done, and due again. */
export const repeatTask = (
  holder: Pick<Holder, 'db' | 'clock'>,
  task: Task,
  everyMs: number,
): Promise<void> => giveBack(holder, task, everyMs, NOT_FAILING)

const NOT_FAILING = { attempts: 0, failing_since: null }

async function giveBack(
  { db, clock }: Pick<Holder, 'db' | 'clock'>,
  { kind, key, token }: Task,
  delayMs: number,
  failed: Pick<Task, 'attempts' | 'failing_since'>,
): Promise<void> {
  await db
    .updateTable('tasks')
    .set({
      ...failed,
      owner: null,
      held_until: null,
      claims: 0,
      due_at: timestamp(clock.now() + delayMs),
    })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('token', '=', token)
    .execute()
}

/** A sign of life, for the tasks that run on this node. */
export async function renewTasks(
  { db, clock, owner, leaseMs }: Holder,
  running: readonly Pick<Task, 'key'>[],
): Promise<void> {
  if (running.length === 0) return
  await db
    .updateTable('tasks')
    .set({ held_until: timestamp(clock.now() + leaseMs) })
    .where('owner', '=', owner)
    // One that was claimed by a commit whose outcome is unknown does not run, and becomes free.
    .where(
      'key',
      'in',
      running.map(({ key }) => key),
    )
    .execute()
}

const MAX_DELAY_MS = 60 * 60_000

/**
 * Frees the tasks of processes that have ended, so that nobody waits for their leases. A kill of the process is not the fault of
 * a task. Those that saw several processes end without a word wait longer each time, in case one of them is what ended them, and
 * each for another time, so that it takes no other with it.
 */
export async function releaseTasksOf(
  { db, clock }: Pick<Holder, 'db' | 'clock'>,
  isGone: (owner: string) => boolean,
): Promise<number> {
  const held = await db.selectFrom('tasks').selectAll().where('owner', 'is not', null).execute()
  const left = held.filter(({ owner }) => owner !== null && isGone(owner))
  let suspects = 0
  for (const { kind, key, token, claims, due_at } of left) {
    if (claims > 2) suspects += 1
    const delayMs = claims > 2 ? Math.min(MAX_DELAY_MS, 125 * 4 ** claims) * suspects : 0
    await db
      .updateTable('tasks')
      .set({
        owner: null,
        held_until: null,
        token: token + 1,
        due_at: delayMs === 0 ? due_at : timestamp(clock.now() + delayMs),
      })
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('token', '=', token)
      .execute()
  }
  return left.length
}
