import type { Log } from '../runtime/logger.ts'
import { claimTasks, finishTask, type Holder, postponeTask, renewTasks, type Task } from './tasks.ts'

/** What became of a task. */
export type Outcome =
  | { readonly is: 'done' }
  /** Its own transaction has removed it, or another process has it. */
  | { readonly is: 'gone' }
  /** To be tried again. `fault`: of the task itself, or of the environment, such as a full disk. */
  | { readonly is: 'again'; readonly fault: 'task' | 'environment'; readonly delayMs: number }

export interface Kind {
  readonly name: string
  /** At the same time, on one node. */
  readonly concurrency: number
  /** Does the task. `free` lets the next one begin before this one has ended. What it throws is a fault of the environment. */
  run(task: Task, free: () => void): Promise<Outcome>
}

export interface RunnerOptions extends Holder {
  readonly kinds: readonly Kind[]
  readonly log: Pick<Log, 'error'>
}

/** Does what is due, on every node that runs it, until it is stopped. */
export interface Runner {
  /** One was queued: it begins at once. What others queued is found every second, or when `poll` is called. */
  wake(kind: string): void
  poll(): void
  /** False while tasks fail because of the environment, or cannot be claimed. */
  healthy(): boolean
  /** Claims no more; resolves when those that run have ended. */
  stop(): Promise<void>
}

const POLL_MS = 1000
const MAX_PAUSE_MS = 5000

export function startRunner(options: RunnerOptions): Runner {
  const lanes = options.kinds.map((kind) => startLane(options, kind))
  const renew = (): void => {
    if (lanes.some(({ isBusy }) => isBusy()))
      renewTasks(options).catch((error: unknown) =>
        options.log.error({ err: error }, 'cannot renew the tasks'),
      )
  }
  const timers = [
    setInterval(renew, options.leaseMs / 3).unref(),
    setInterval(() => lanes.forEach(({ poll }) => poll()), POLL_MS).unref(),
  ]
  for (const { poll } of lanes) poll()
  return {
    wake: (kind) => lanes.find(({ name }) => name === kind)?.wake(),
    poll: () => lanes.forEach(({ poll }) => poll()),
    healthy: () => lanes.every(({ failures }) => failures() === 0),
    async stop() {
      await Promise.all(lanes.map(({ stop }) => stop()))
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/** Runs the tasks of one kind. */
function startLane(options: RunnerOptions, kind: Kind) {
  const { log } = options
  const claim = claimTasks(options, kind.name)
  const running = new Set<Promise<void>>()
  let [busy, failures, turn] = [0, 0, '']
  let isStopped = false
  /** How many were queued here since, and whether there may be others. */
  let [queued, hasOthers] = [0, true]
  let filling: Promise<void> | undefined
  /** By the monotonic clock. Until then the environment is given time. */
  let pausedUntil = 0

  function failed(): void {
    failures += 1
    pausedUntil = performance.now() + Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(failures - 1, 8))
  }

  const mayClaim = (): boolean =>
    (queued > 0 || hasOthers) && !isStopped && busy < kind.concurrency && performance.now() >= pausedUntil

  async function fill(): Promise<void> {
    while (mayClaim()) {
      try {
        const tasks = await claim(turn, kind.concurrency - busy)
        for (const task of tasks) start(task)
        queued = tasks.length === 0 ? 0 : Math.max(0, queued - tasks.length)
        if (tasks.length === 0) hasOthers = false
        turn = tasks[0]?.workspace_id ?? turn
      } catch (error) {
        hasOthers = true
        failed()
        log.error({ err: error, kind: kind.name }, 'cannot claim tasks')
      }
    }
  }

  function look(): void {
    filling ??= fill().finally(() => (filling = undefined))
  }

  function start(task: Task): void {
    busy += 1
    let isFree = false
    const free = (): void => {
      if (isFree) return
      isFree = true
      busy -= 1
      look()
    }
    const one = work(task, free).finally(() => {
      free()
      running.delete(one)
    })
    running.add(one)
  }

  async function work(task: Task, free: () => void): Promise<void> {
    try {
      const outcome = await kind.run(task, free)
      if (outcome.is === 'again') {
        if (outcome.fault === 'environment') failed()
        await postponeTask(options, task, { delayMs: outcome.delayMs, counted: outcome.fault === 'task' })
        if (outcome.fault === 'environment') return
      } else if (outcome.is === 'done') await finishTask(options.db, task)
      failures = 0
    } catch (error) {
      // Its lease ends, and it is claimed again.
      failed()
      log.error({ err: error, kind: kind.name, key: task.key }, 'cannot record what became of a task')
    }
  }

  return {
    name: kind.name,
    wake: (): void => {
      queued += 1
      look()
    },
    poll: (): void => {
      hasOthers = true
      look()
    },
    isBusy: () => running.size > 0,
    failures: () => failures,
    async stop() {
      isStopped = true
      await filling
      await Promise.all(running)
    },
  }
}
