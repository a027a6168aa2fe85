import { timestamp } from '../runtime/clock.ts'
import type { Place } from '../database/queued-tasks.ts'
import type { Log } from '../runtime/logger.ts'
import { repeat } from '../runtime/repeat.ts'
import {
  claimTasks,
  dueKinds,
  ensureTask,
  finishTask,
  type Holder,
  type Postponed,
  postponeTask,
  renewTasks,
  repeatTask,
  type Task,
} from './tasks.ts'

/** What became of a task. */
export type Outcome =
  /** One that recurs is due again later. Others are removed. */
  | { readonly is: 'done' }
  /** Its own transaction has removed it, or another process has it. */
  | { readonly is: 'gone' }
  /** There is more to do later. */
  | ({ readonly is: 'again' } & Postponed)

export interface Kind {
  readonly name: string
  /** At the same time, on one node. */
  readonly concurrency: number
  /** Of these, how many may have failed before, so that they do not delay the others. */
  readonly retries?: number
  /** Recurs: there is always one task, which is due again this long after it was done. */
  readonly everyMs?: number
  /** Begins in the commit that queues it, if nothing else waits. It is always due at once, and finds out if it is done already. */
  readonly beginsAtOnce?: boolean
  /** The node is not ready while these fail because of the environment. */
  readonly isVital?: boolean
  /** Once a second, and when it is woken: queues what is due although no transaction has queued it. */
  find?(): Promise<void>
  /**
   * Does the task. `free` lets the next one begin before this one has ended. What takes long ends early when `stopping` is aborted. What
   * it throws is a fault of the environment.
   */
  run(task: Task, free: () => void, stopping: AbortSignal): Promise<Outcome>
}

/** What has to be done again and again. `work` says that it is done, unless it returns something else. */
export const recurring = (
  name: string,
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<Outcome | void>,
): Kind => ({
  name,
  everyMs,
  concurrency: 1,
  run: async (_task, _free, stopping) => (await work(stopping)) ?? { is: 'done' },
})

interface RunnerOptions extends Holder {
  readonly kinds: readonly Kind[]
  readonly log: Pick<Log, 'error'>
}

/** Does what is due, on every node that runs it, until it is stopped. */
export interface Runner {
  /** One was queued: it begins at once. What others queued is found every second, or when `poll` is called. */
  wake(kind: string): void
  /** There may be something that was not queued. */
  find(kind: string): void
  /** For a task that is queued now. */
  place(kind: string): Place | undefined
  poll(): void
  /** Does everything that is due, and waits for it. For tests, which set the clock. */
  run(): Promise<void>
  /** False while vital tasks fail because of the environment, or cannot be claimed. */
  healthy(): boolean
  /** Claims no more; resolves when those that run have ended. */
  stop(): Promise<void>
}

/** How often to look for tasks that others have queued, and for those that recur. */
const POLL_MS = 1000
const RECUR_MS = 30_000
const MAX_PAUSE_MS = 5000
/** After a task threw an error. */
const RETRY_MS = 30_000

export function startRunner(options: RunnerOptions): Runner {
  const lanes = options.kinds.map((kind) => startLane(options, kind))
  const recurringLanes = lanes.filter(({ recurs }) => recurs)
  const otherLanes = lanes.filter(({ recurs }) => !recurs)

  /** One statement tells what is due. If it fails, so do the claims, and they say why. */
  async function poll(some: readonly Lane[]): Promise<void> {
    const names = some.map(({ name }) => name)
    const due = await dueKinds(options, names).catch(() => names)
    for (const lane of some) lane.poll(due.includes(lane.name))
  }

  const claimAll = (): void => lanes.forEach((lane) => lane.poll(true))
  const renew = (): Promise<void> =>
    renewTasks(
      options,
      lanes.flatMap((lane) => [...lane.running.keys()]),
    )
  const renewing = repeat(options.leaseMs / 3, 'renewing the tasks', renew, options.log)
  const polling = repeat(POLL_MS, 'looking for tasks', () => poll(otherLanes), options.log)
  // What recurs does not delay the start.
  const recurringTimer = setInterval(() => void poll(recurringLanes), RECUR_MS).unref()

  return {
    wake: (kind) => lanes.find(({ name }) => name === kind)?.wake(),
    find: (kind) => lanes.find(({ name }) => name === kind)?.findMore(),
    place: (kind) => lanes.find(({ name }) => name === kind)?.place(),
    poll: claimAll,
    async run() {
      for (;;) {
        claimAll()
        await Promise.all(lanes.map((lane) => lane.filled()))
        const running = lanes.flatMap((lane) => [...lane.running.values()])
        if (running.length === 0) return
        await Promise.all(running)
      }
    },
    healthy: () => lanes.every(({ isHealthy }) => isHealthy()),
    async stop() {
      clearInterval(recurringTimer)
      await Promise.all([polling.stop(), ...lanes.map(({ stop }) => stop())])
      await renewing.stop()
    },
  }
}

type Lane = ReturnType<typeof startLane>

/** Runs the tasks of one kind. */
function startLane(options: RunnerOptions, kind: Kind) {
  const { log } = options
  const claim = claimTasks(options, kind.name)
  const running = new Map<Task, Promise<void>>()
  const stopping = new AbortController()
  /** Claims that failed are counted apart: there may be no task whose success would end the count. */
  let [busy, retrying, failures, failedClaims, turn] = [0, 0, 0, 0, '']
  const { concurrency, retries = concurrency } = kind
  let isEnsured = kind.everyMs === undefined
  /** Whether to look for what was not queued, and whether there may be tasks to claim. */
  let [mustFind, mayHaveMore] = [true, true]
  let filling: Promise<void> | undefined
  /** By the monotonic clock. Until then the environment is given time. */
  let pausedUntil = 0

  function failed(): void {
    failures += 1
    pause(failures)
  }

  function pause(count: number): void {
    pausedUntil = performance.now() + Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(count - 1, 8))
  }

  const isOpen = (): boolean => !stopping.signal.aborted && performance.now() >= pausedUntil
  const mayClaim = (): boolean => mayHaveMore && busy < concurrency

  async function fill(): Promise<void> {
    if (!isOpen()) return
    try {
      while (isOpen() && (mustFind || mayClaim())) await (mustFind ? find() : claimSome())
      failedClaims = 0
    } catch (error) {
      ;[mustFind, mayHaveMore] = [true, true]
      failedClaims += 1
      pause(failedClaims)
      log.error({ err: error, kind: kind.name }, 'cannot claim tasks')
    }
  }

  async function find(): Promise<void> {
    if (!isEnsured) {
      const dueAt = timestamp(options.clock.now())
      await ensureTask(options.db, { kind: kind.name, key: '', workspaceId: null, dueAt })
      isEnsured = true
    }
    mustFind = false
    await kind.find?.()
  }

  async function claimSome(): Promise<void> {
    const onlyNew = retrying >= retries
    const most = concurrency - busy
    // Before, so that what is queued meanwhile is noticed.
    mayHaveMore = false
    const tasks = await claim(turn, onlyNew ? most : Math.min(most, retries - retrying), onlyNew)
    for (const task of tasks) start(task)
    if (tasks.length > 0) mayHaveMore = true
    turn = tasks[0]?.workspace_id ?? turn
  }

  function look(): Promise<void> {
    return (filling ??= fill().finally(() => (filling = undefined)))
  }

  function start(task: Task): void {
    const isRetry = task.attempts > 0
    busy += 1
    if (isRetry) retrying += 1
    let isFree = false
    const free = (): void => {
      if (isFree) return
      isFree = true
      busy -= 1
      // Others of them may have waited for this one.
      if (isRetry) [retrying, mayHaveMore] = [retrying - 1, true]
      void look()
    }
    const one = work(task, free).finally(() => {
      free()
      running.delete(task)
    })
    running.set(task, one)
  }

  /** Counts as busy until the transaction has ended. */
  function place(): Place | undefined {
    const hasWaiting = mayHaveMore || filling !== undefined
    if (kind.beginsAtOnce !== true || hasWaiting || !isOpen() || busy >= concurrency) return undefined
    busy += 1
    return {
      owner: options.owner,
      heldUntil: timestamp(options.clock.now() + options.leaseMs),
      begin(task) {
        busy -= 1
        start(task)
      },
      leave() {
        busy -= 1
        void look()
      },
    }
  }

  async function attempt(task: Task, free: () => void): Promise<Outcome> {
    try {
      return await kind.run(task, free, stopping.signal)
    } catch (error) {
      log.error({ err: error, kind: kind.name, key: task.key }, 'a task failed')
      return { is: 'again', fault: 'environment', delayMs: Math.min(RETRY_MS, kind.everyMs ?? RETRY_MS) }
    }
  }

  async function work(task: Task, free: () => void): Promise<void> {
    const outcome = await attempt(task, free)
    try {
      if (outcome.is === 'again') {
        if (outcome.fault === 'environment') failed()
        else failures = 0
        await postponeTask(options, task, outcome)
        return
      }
      if (outcome.is === 'done' && kind.everyMs !== undefined) await repeatTask(options, task, kind.everyMs)
      else if (outcome.is === 'done') await finishTask(options.db, task)
      failures = 0
    } catch (error) {
      // Its lease ends, and it is claimed again.
      failed()
      log.error({ err: error, kind: kind.name, key: task.key }, 'cannot record what became of a task')
    }
  }

  return {
    name: kind.name,
    recurs: kind.everyMs !== undefined,
    running,
    place,
    wake(): void {
      mayHaveMore = true
      void look()
    },
    findMore(): void {
      mustFind = true
      void look()
    },
    poll(isDue: boolean): void {
      mustFind = true
      mayHaveMore ||= isDue
      void look()
    },
    filled: async (): Promise<void> => filling,
    isHealthy: () => kind.isVital !== true || failures + failedClaims === 0,
    async stop() {
      stopping.abort()
      await filling
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}
