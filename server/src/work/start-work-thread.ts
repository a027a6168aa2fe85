import { Worker as Thread } from 'node:worker_threads'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { LineSink, Log } from '../runtime/logger.ts'
import { leaseOwner } from '../runtime/lease-owner.ts'
import { releaseLeasesOf } from './leases.ts'
import { causeOf, type CrashCause, threadCrashes } from './thread-crashes.ts'
import type { FromThread, ThreadOptions, ToThread } from './thread-messages.ts'
import type { WorkContext } from './work-on-job.ts'
import type { Worker } from './worker.ts'

export interface WorkThreadOptions extends Pick<
  ThreadOptions,
  'config' | 'issuer' | 'page' | 'proofSources'
> {
  readonly log: Pick<Log, 'error'>
  /** Receives the log lines of the thread. */
  readonly lines: LineSink
  readonly ended: WorkContext['ended']
}

const MAX_RESTART_MS = 10_000
const CHECK_EVERY_MS = 1000

/** Limits of one thread, so that a bug in a parser does not take down the service. */
export interface ThreadLimits {
  readonly heapMegabytes: number
  /** A thread without a heartbeat for this long is stuck and terminated. */
  readonly heartbeatTimeoutMs: number
}

const LIMITS: ThreadLimits = { heapMegabytes: 512, heartbeatTimeoutMs: 30_000 }
const YOUNG_MB = 12

/** Runs jobs in a separate thread, which is restarted if it crashes. Its jobs are released immediately. */
export function startWorkThread(
  db: Kysely<Database>,
  options: WorkThreadOptions,
  file = new URL('./work-thread.ts', import.meta.url),
  limits = LIMITS,
): Worker {
  const state = { stopping: false, healthy: true, crashesInARow: 0 }
  const crashes = threadCrashes()
  let thread = start()
  let restartTimer: NodeJS.Timeout | undefined

  function start(): Thread {
    const owner = leaseOwner()
    const { config, issuer, page, proofSources } = options
    const poisonJobs = crashes.poisonJobs()
    const workerData: ThreadOptions = { config, issuer, page, owner, proofSources, poisonJobs }
    const { heapMegabytes } = limits
    const started = new Thread(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    let cause: CrashCause = 'error'
    const watchdog = startWatchdog(limits.heartbeatTimeoutMs, () => terminate('the work thread is stuck'))
    const terminate = (why: string): void => {
      cause = 'timeout'
      options.log.error({}, why)
      void started.terminate()
    }
    started.on('message', (messages: readonly FromThread[]) => {
      watchdog.reset()
      for (const message of messages)
        if (message.type === 'overdue') terminate(`${message.jobId} takes too long`)
        else receive(message)
    })
    started.on('error', (error) => {
      cause = causeOf(error)
      options.log.error({ err: error }, 'the work thread crashed')
    })
    started.on('exit', () => {
      watchdog[Symbol.dispose]()
      if (!state.stopping) void restart(owner, cause)
    })
    return started
  }

  function receive(message: Exclude<FromThread, { readonly type: 'overdue' }>): void {
    if (message.type === 'log') options.lines.write(message.text)
    else if (message.type === 'health') state.healthy = message.healthy
    else {
      state.crashesInARow = 0
      state.healthy = true
      options.ended(message.result)
    }
  }

  async function restart(owner: string, cause: CrashCause): Promise<void> {
    state.healthy = false
    state.crashesInARow += 1
    crashes.record(await jobsLeasedBy(db, owner).catch(() => []), cause)
    await release(owner)
    const delayMs = Math.min(MAX_RESTART_MS, 50 * 2 ** state.crashesInARow)
    restartTimer = setTimeout(() => {
      if (!state.stopping) thread = start()
    }, delayMs)
  }

  async function release(owner: string): Promise<void> {
    await releaseLeasesOf(db, (other) => other === owner).catch((error: unknown) =>
      options.log.error({ err: error }, 'cannot release the leases of the work thread'),
    )
  }

  const send = (message: ToThread): void => thread.postMessage(message)
  return {
    wake: () => send({ type: 'wake' }),
    healthy: () => state.healthy,
    stop: async () => {
      state.stopping = true
      clearTimeout(restartTimer)
      if (thread.threadId === -1) return
      // Not events.once, which would reject if the thread crashes meanwhile.
      const ended = new Promise((resolve) => thread.once('exit', resolve))
      send({ type: 'stop' })
      // Unfinished jobs are claimed again at the next start.
      const timeout = setTimeout(() => void thread.terminate(), options.config.stopTimeoutSeconds * 1000)
      await ended
      clearTimeout(timeout)
    },
  }
}

/** Counts timer ticks rather than clock time, so that a suspended machine does not cause a timeout. */
function startWatchdog(timeoutMs: number, onTimeout: () => void): Disposable & { reset(): void } {
  // A starting thread gets twice the time, because it opens the store first.
  let elapsedMs = -timeoutMs
  const step = Math.min(CHECK_EVERY_MS, timeoutMs / 2)
  const timer = setInterval(() => {
    elapsedMs += step
    if (elapsedMs <= timeoutMs) return
    elapsedMs = -Infinity
    onTimeout()
  }, step)
  return { reset: () => (elapsedMs = 0), [Symbol.dispose]: () => clearInterval(timer) }
}

async function jobsLeasedBy(db: Kysely<Database>, owner: string): Promise<readonly string[]> {
  const jobs = await db.selectFrom('jobs').select('job_id').where('lease_owner', '=', owner).execute()
  return jobs.map(({ job_id }) => job_id)
}
