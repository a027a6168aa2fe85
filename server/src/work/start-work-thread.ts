import { Worker as Thread } from 'node:worker_threads'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { Log } from '../log.ts'
import { leaseOwner } from './lease-owner.ts'
import { releaseLeasesOf } from './leases.ts'
import { causeOf, type DeathCause, threadDeaths } from './thread-deaths.ts'
import type { FromThread, ThreadOrder, ToThread } from './thread-messages.ts'
import type { WorkContext } from './work-on-job.ts'
import type { Worker } from './worker.ts'

export interface WorkThreadOptions extends Pick<ThreadOrder, 'config' | 'issuer' | 'page'> {
  readonly log: Pick<Log, 'error' | 'line'>
  readonly ended: WorkContext['ended']
}

const LONGEST_PAUSE_MS = 10_000
const LISTEN_EVERY_MS = 1000

/** What one thread may take: evidence is read in pieces, and a fault in a parser must not take the service with it. */
export interface ThreadLimits {
  readonly heapMegabytes: number
  /** A thread that does not come round to saying that it lives is stuck in one file. */
  readonly silenceMs: number
}

const LIMITS: ThreadLimits = { heapMegabytes: 512, silenceMs: 30_000 }
const YOUNG_MB = 12

/**
 * Work in a thread of its own, so that requests are answered while evidence is examined. A thread that dies is started
 * again; the jobs that it held are taken up at once.
 */
export function startWorkThread(
  db: Kysely<Database>,
  options: WorkThreadOptions,
  file = new URL('./work-thread.ts', import.meta.url),
  limits = LIMITS,
): Worker {
  const state = { stopping: false, healthy: true, crashesInARow: 0 }
  const deaths = threadDeaths()
  let thread = begin()
  let restart: NodeJS.Timeout | undefined

  function begin(): Thread {
    const owner = leaseOwner()
    const { config, issuer, page } = options
    const workerData: ThreadOrder = { config, issuer, page, owner, condemned: deaths.condemned() }
    const { heapMegabytes } = limits
    const started = new Thread(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    let cause: DeathCause = 'fault'
    const ear = listen(limits.silenceMs, () => endStuck('the work thread fell silent'))
    const endStuck = (why: string): void => {
      cause = 'silence'
      options.log.error({}, why)
      void started.terminate()
    }
    started.on('message', (message: FromThread) => {
      ear.heard()
      if (message.say === 'overdue') endStuck(`${message.jobId} takes too long`)
      else hear(message)
    })
    started.on('error', (error) => {
      cause = causeOf(error)
      options.log.error({ err: error }, 'the work thread failed')
    })
    started.on('exit', () => {
      ear[Symbol.dispose]()
      if (!state.stopping) void begunAgain(owner, cause)
    })
    return started
  }

  function hear(message: Exclude<FromThread, { readonly say: 'overdue' }>): void {
    if (message.say === 'line') options.log.line(message.json)
    else if (message.say === 'health') state.healthy = message.healthy
    else {
      state.crashesInARow = 0
      state.healthy = true
      options.ended(message.result)
    }
  }

  async function begunAgain(owner: string, cause: DeathCause): Promise<void> {
    state.healthy = false
    state.crashesInARow += 1
    deaths.died(await jobsHeldBy(db, owner).catch(() => []), cause)
    await releaseLeasesOf(db, (other) => other === owner).catch((error: unknown) =>
      options.log.error({ err: error }, 'leases of the work thread not released'),
    )
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 50 * 2 ** state.crashesInARow)
    restart = setTimeout(() => {
      if (!state.stopping) thread = begin()
    }, pauseMs)
  }

  const tell = (message: ToThread): void => thread.postMessage(message)
  return {
    wake: () => tell({ say: 'wake' }),
    healthy: () => state.healthy,
    stop: async () => {
      state.stopping = true
      clearTimeout(restart)
      if (thread.threadId === -1) return
      // Not `once`: a thread that fails while it is waited for ends all the same.
      const ended = new Promise((resolve) => thread.once('exit', resolve))
      tell({ say: 'stop' })
      // What is not done by then is taken up at the next start.
      const late = setTimeout(() => void thread.terminate(), options.config.stopTimeoutSeconds * 1000)
      await ended
      clearTimeout(late)
    },
  }
}

/** Counts how long nothing was heard, in its own time: a machine that sleeps does not make a thread late. */
function listen(silenceMs: number, onSilence: () => void): Disposable & { heard(): void } {
  // A thread may take its time to start: it opens the store, which may be away.
  let silentMs = -silenceMs
  const step = Math.min(LISTEN_EVERY_MS, silenceMs / 2)
  const timer = setInterval(() => {
    silentMs += step
    if (silentMs <= silenceMs) return
    silentMs = -Infinity
    onSilence()
  }, step)
  return { heard: () => (silentMs = 0), [Symbol.dispose]: () => clearInterval(timer) }
}

async function jobsHeldBy(db: Kysely<Database>, owner: string): Promise<readonly string[]> {
  const jobs = await db.selectFrom('jobs').select('job_id').where('lease_owner', '=', owner).execute()
  return jobs.map(({ job_id }) => job_id)
}
