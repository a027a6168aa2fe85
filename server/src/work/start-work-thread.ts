import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { Log } from '../log.ts'
import { leaseOwner } from './lease-owner.ts'
import { releaseLeasesOf } from './leases.ts'
import type { FromThread, ThreadOrder, ToThread } from './thread-messages.ts'
import type { WorkContext } from './work-on-job.ts'
import type { Worker } from './worker.ts'

export interface WorkThreadOptions extends Pick<ThreadOrder, 'config' | 'issuer' | 'page'> {
  readonly log: Pick<Log, 'error' | 'line'>
  readonly ended: WorkContext['ended']
}

const LONGEST_PAUSE_MS = 10_000
/** What one thread may hold: evidence is read in pieces, and a fault in a parser must not take the service with it. */
const HEAP_MB = 512
const YOUNG_MB = 12

/**
 * Work in a thread of its own, so that requests are answered while evidence is examined. A thread that dies is started
 * again; the jobs that it held are taken up at once.
 */
export function startWorkThread(
  db: Kysely<Database>,
  options: WorkThreadOptions,
  file = new URL('./work-thread.ts', import.meta.url),
): Worker {
  const state = { stopping: false, healthy: true, crashesInARow: 0 }
  let thread = begin()
  let restart: NodeJS.Timeout | undefined

  function begin(): Thread {
    const owner = leaseOwner()
    const { config, issuer, page } = options
    const workerData: ThreadOrder = { config, issuer, page, owner, careful: state.crashesInARow > 0 }
    const started = new Thread(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    started.on('message', hear)
    started.on('error', (error) => options.log.error({ err: error }, 'the work thread failed'))
    started.on('exit', () => {
      if (!state.stopping) void begunAgain(owner)
    })
    return started
  }

  function hear(message: FromThread): void {
    if (message.say === 'line') options.log.line(message.json)
    else if (message.say === 'health') state.healthy = message.healthy
    else {
      state.crashesInARow = 0
      state.healthy = true
      options.ended(message.result)
    }
  }

  async function begunAgain(owner: string): Promise<void> {
    state.healthy = false
    state.crashesInARow += 1
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
      const ended = once(thread, 'exit')
      tell({ say: 'stop' })
      // What is not done by then is taken up at the next start.
      const late = setTimeout(() => void thread.terminate(), options.config.stopTimeoutSeconds * 1000)
      await ended
      clearTimeout(late)
    },
  }
}
