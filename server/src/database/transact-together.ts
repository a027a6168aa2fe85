import type { Kysely, Transaction } from 'kysely'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'
import { transact } from './transact.ts'
import { isUnavailable } from './unavailable.ts'

type Work<T> = (trx: Transaction<Database>) => Promise<T>

/** Keeps a group from occupying the event loop for long. */
const MAX_MEMBERS = 16
const MAX_PAUSE_MS = 20

/**
 * Like `transact`, for transactions that many requests make. Those that wait at the same time are committed together, and
 * resolve after that commit. If one fails, they run again one by one, so `work` may run several times. `key` names what they
 * compete for: on PostgreSQL only transactions with the same key form a group.
 */
export type TransactTogether = <T>(key: string, work: Work<T>) => Promise<T>

export function transactingTogether(db: Kysely<Database>): TransactTogether {
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
  readonly #db: Kysely<Database>
  readonly #ended: () => void
  readonly #waiting: Member[] = []
  #isRunning = false

  constructor(db: Kysely<Database>, ended: () => void) {
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
      const started = performance.now()
      await commit(this.#db, this.#waiting.splice(0, MAX_MEMBERS))
      if (!isShared(this.#db)) await pause(performance.now() - started)
    }
    this.#isRunning = false
    this.#ended()
  }
}

/**
 * SQLite commits while the event loop waits, so nothing could join a group meanwhile. After a commit, the next one waits as
 * long as that one took. Other connections, such as the worker's, write in that time.
 */
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, Math.min(milliseconds, MAX_PAUSE_MS)))

async function commit(db: Kysely<Database>, members: readonly Member[]): Promise<void> {
  const [first, ...others] = members
  if (first === undefined) return
  if (others.length === 0) return commitAlone(db, first)
  try {
    const results = await transact(db, async (trx) => {
      const each: unknown[] = []
      for (const { work } of members) each.push(await work(trx))
      return each
    })
    for (const [index, { resolve }] of members.entries()) resolve(results[index])
  } catch (error) {
    if (isUnavailable(error)) for (const { reject } of members) reject(error)
    else for (const member of members) await commitAlone(db, member)
  }
}

async function commitAlone(db: Kysely<Database>, { work, resolve, reject }: Member): Promise<void> {
  await transact(db, work).then(resolve, reject)
}
