import type { Db } from './schema.ts'
import type { TasksTable } from './schema.ts'

type QueuedTask = Readonly<TasksTable>

/** Where a task begins on this node as soon as it is committed: the statement that queues it claims it. */
export interface Place {
  readonly owner: string
  readonly heldUntil: string
  begin(task: QueuedTask): void
  /** No task begins in it. */
  leave(): void
}

/** The tasks of this node. */
export interface LocalTasks {
  /** Tasks of these kinds are queued, and committed. */
  queued(kinds: ReadonlySet<string>): void
  /** Undefined if there is none, or others wait. */
  place(kind: string): Place | undefined
}

const local = new WeakMap<object, LocalTasks>()
const open = new WeakMap<object, QueuedIn>()

export const setLocalTasks = (db: Db, tasks: LocalTasks): void => void local.set(db, tasks)

/** What a transaction queues. */
class QueuedIn {
  readonly #tasks: LocalTasks | undefined
  readonly #kinds = new Set<string>()
  readonly #places = new Map<Place, QueuedTask | undefined>()

  constructor(tasks: LocalTasks | undefined) {
    this.#tasks = tasks
  }

  place(kind: string): Place | undefined {
    const place = this.#tasks?.place(kind)
    if (place !== undefined) this.#places.set(place, undefined)
    return place
  }

  /** `place`: where it begins. */
  note(task: QueuedTask, place: Place | undefined): void {
    if (place === undefined) this.#kinds.add(task.kind)
    else this.#places.set(place, task)
  }

  committed(): void {
    for (const [place, task] of this.#places)
      if (task === undefined) place.leave()
      else place.begin(task)
    if (this.#kinds.size > 0) this.#tasks?.queued(this.#kinds)
  }

  rolledBack(): void {
    for (const place of this.#places.keys()) place.leave()
  }
}

/** Call at the start of a transaction. What it returns is told how the transaction ended. */
export function queueingIn(db: Db, trx: Db): Pick<QueuedIn, 'committed' | 'rolledBack'> {
  const queued = new QueuedIn(local.get(db))
  open.set(trx, queued)
  return queued
}

/** Outside of a transaction a task is committed at once, and waits for its turn. */
export const placeIn = (db: Db, kind: string): Place | undefined => open.get(db)?.place(kind)

export function noteQueued(db: Db, task: QueuedTask, place?: Place): void {
  const queued = open.get(db)
  if (queued === undefined) local.get(db)?.queued(new Set([task.kind]))
  else queued.note(task, place)
}
