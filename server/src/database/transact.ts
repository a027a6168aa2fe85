import { type Transaction, sql } from 'kysely'
import { queueingIn } from './queued-tasks.ts'
import type { Database, Db } from './schema.ts'
import { isShared } from './dialect.ts'
import { isUnavailable } from './unavailable.ts'

const MAX_ATTEMPTS = 5

/** PostgreSQL's codes for serialization failure and deadlock: the transaction was rolled back. */
const RETRYABLE = new Set(['40001', '40P01'])

/** Runs a transaction, and retries it after a deadlock or serialization failure. */
export async function transact<T>(db: Db, work: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await committed(db, work)
    } catch (error) {
      const code = (error as { readonly code?: unknown } | undefined)?.code
      if (attempt === MAX_ATTEMPTS || typeof code !== 'string' || !RETRYABLE.has(code)) throw error
    }
  }
}

/** Runs a transaction once. Tasks that it has queued begin after its commit. */
async function committed<T>(db: Db, work: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  let queued: ReturnType<typeof queueingIn> | undefined
  try {
    const result = await db.transaction().execute((trx) => {
      queued = queueingIn(db, trx)
      return work(trx)
    })
    queued?.committed()
    return result
  } catch (error) {
    queued?.rolledBack()
    throw error
  }
}

type Work<T> = (trx: Transaction<Database>) => Promise<T>

/** Keeps a group from occupying the event loop for long. */
const MAX_MEMBERS = 16

/**
 * Like `transact`, for what many do at the same time. What waits is committed together, each part in a savepoint of its own, and
 * resolves after that commit. If the commit itself fails, they run again one by one, so `work` may run several times. `key`
 * names what they compete for: on PostgreSQL only transactions with the same key form a group.
 */
export type TransactTogether = <T>(key: string, work: Work<T>) => Promise<T>

export function transactingTogether(db: Db): TransactTogether {
  const groups = new Map<string, Group>()
  return (key, work) => {
    const name = isShared(db) ? key : ''
    const group = groups.get(name) ?? new Group(db, () => groups.delete(name))
    groups.set(name, group)
    return group.add(work)
  }
}

interface Member {
  readonly work: Work<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

class Group {
  readonly #db: Db
  readonly #ended: () => void
  readonly #waiting: Member[] = []
  #isRunning = false

  constructor(db: Db, ended: () => void) {
    this.#db = db
    this.#ended = ended
  }

  add<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Member['resolve'], reject })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      // SQLite commits while the event loop waits. What became ready meanwhile joins this group.
      await new Promise((resolve) => setImmediate(resolve))
      await commit(this.#db, this.#waiting.splice(0, MAX_MEMBERS))
    }
    this.#isRunning = false
    this.#ended()
  }
}

async function commit(db: Db, members: readonly Member[]): Promise<void> {
  const [first, ...others] = members
  if (first === undefined) return
  if (others.length === 0) return commitAlone(db, first)
  try {
    const results = await transact(db, async (trx) => {
      const each: PromiseSettledResult<unknown>[] = []
      for (const { work } of members) each.push(await inSavepoint(trx, work))
      return each
    })
    for (const [index, { resolve, reject }] of members.entries()) {
      const result = results[index]!
      if (result.status === 'fulfilled') resolve(result.value)
      else reject(result.reason)
    }
  } catch (error) {
    if (isUnavailable(error)) for (const { reject } of members) reject(error)
    else for (const member of members) await commitAlone(db, member)
  }
}

/** What fails is rolled back alone. */
async function inSavepoint(
  trx: Transaction<Database>,
  work: Work<unknown>,
): Promise<PromiseSettledResult<unknown>> {
  await sql`savepoint unit`.execute(trx)
  try {
    const value = await work(trx)
    await sql`release savepoint unit`.execute(trx)
    return { status: 'fulfilled', value }
  } catch (reason) {
    // After a full disk SQLite has rolled back everything, so there is no savepoint: the whole group fails, for that reason.
    await sql`rollback to savepoint unit`.execute(trx).catch(() => {
      throw reason
    })
    return { status: 'rejected', reason }
  }
}

async function commitAlone(db: Db, { work, resolve, reject }: Member): Promise<void> {
  await transact(db, work).then(resolve, reject)
}

/**
 * Handles a batch together. If that fails, each part is handled alone, so that none holds up the others. Returns the errors of those
 * that failed. While the database is unavailable, all fail.
 */
export async function togetherOrAlone<T>(
  batch: readonly T[],
  handle: (part: readonly T[], isAlone: boolean) => Promise<void>,
): Promise<ReadonlyMap<T, unknown>> {
  const failed = new Map<T, unknown>()
  if (batch.length === 0) return failed
  try {
    await handle(batch, false)
  } catch (error) {
    if (isUnavailable(error)) return new Map(batch.map((each) => [each, error]))
    for (const each of batch) await handle([each], true).catch((alone: unknown) => failed.set(each, alone))
  }
  return failed
}

interface Waiting<T> {
  readonly item: T
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Handles what is waiting when the batch before has ended. `handle` returns the errors of those that failed. */
export function inBatches<T>(
  most: number,
  handle: (batch: readonly T[]) => Promise<ReadonlyMap<T, unknown>>,
  gather: () => Promise<unknown> | undefined,
): (item: T) => Promise<void> {
  const waiting: Waiting<T>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      await gather()
      const batch = waiting.splice(0, most)
      const failed = await handle(batch.map(({ item }) => item))
      for (const { item, resolve, reject } of batch)
        if (failed.has(item)) reject(failed.get(item))
        else resolve()
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
