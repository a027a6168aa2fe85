import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { RateLimit } from '../settings/parse.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { addressGroup } from '../http/addresses.ts'
import { rateRefusal, TokenBuckets } from '../http/rate-limits.ts'
import type { KitId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import type { Log } from '../runtime/logger.ts'
import { within } from '../runtime/promises.ts'
import { type NewEvent, recordEvents } from './audit-trail.ts'

/** A part of a file that is about to be sent. */
export interface DownloadedFile {
  /** Null for the kit of an anonymous job, which has no audit log. */
  readonly workspaceId: WorkspaceId | null
  readonly subject: KitId | SubmissionId
  /** Name of the deliverable, such as `kit.zip`. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** A database that is read-only or down must not stop downloads. */
const MAX_WAIT_MS = 1000
const RETRY_MS = 5000
/** Each commit waits for the disk. */
const COMMIT_EVERY_MS = 5
const MAX_WAITING = 50_000
/** By address. Without a limit, anyone with a public link could fill the audit log. */
export const PUBLIC_PER_MINUTE = 300
/** Later ranges of one caller for one file belong to the same download. */
const CONTINUES_MS = 60 * 60_000
const MAX_REMEMBERED = 10_000

export interface DownloadLogOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly rateLimit: RateLimit
}

/** Records downloads in the audit log. */
export type DownloadLog = ReturnType<typeof downloadLog>

export function downloadLog({ db, clock, log, rateLimit }: DownloadLogOptions) {
  const publicDownloads = rateLimit.is === 'off' ? undefined : new TokenBuckets(PUBLIC_PER_MINUTE, clock)
  const started = new Map<string, number>()
  let waiting: NewEvent[] = []
  let writing: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let lastCommit = 0

  /** Downloads that start during a commit, or shortly after it, share the next one. */
  const write = async (): Promise<void> => {
    await sleep(Math.max(0, lastCommit + COMMIT_EVERY_MS - performance.now()))
    const batch = waiting
    waiting = []
    try {
      await transact(db, (trx) => recordEvents(trx, batch))
    } catch (error) {
      waiting = [...batch, ...waiting].slice(-MAX_WAITING)
      log.error({ err: error, downloads: waiting.length }, 'downloads not recorded yet')
      retry ??= setTimeout(() => {
        retry = undefined
        void flush()
      }, RETRY_MS).unref()
    }
    lastCommit = performance.now()
  }

  const flush = async (): Promise<void> => {
    await writing
    if (waiting.length > 0) writing ??= write().finally(() => (writing = undefined))
    await writing
  }

  const continues = (key: string, start: number): boolean => {
    const last = started.get(key)
    return start > 0 && last !== undefined && clock.now() - last < CONTINUES_MS
  }

  const remember = (key: string): void => {
    started.delete(key)
    started.set(key, clock.now())
    const [oldest] = started.keys()
    if (started.size > MAX_REMEMBERED && oldest !== undefined) started.delete(oldest)
  }

  return {
    /** Rejects too many public downloads. Resolves when the event is committed, or after a short wait if the database cannot be written now. */
    record: async (
      request: Pick<FastifyRequest, 'caller' | 'ip'>,
      { workspaceId, subject, name, start, end }: DownloadedFile,
    ): Promise<void> => {
      if (workspaceId === null) return
      const { actor, access } = accessOf(request, workspaceId)
      const key = [subject, name, JSON.stringify(actor), request.ip].join(' ')
      if (continues(key, start)) return
      if (actor.is === 'anonymous') rejectExcess(publicDownloads?.take(addressGroup(request.ip)) ?? 0)
      remember(key)
      const details = { name, access, bytes: end - start }
      const at = timestamp(clock.now())
      waiting.push({ workspaceId, actor, action: 'deliverable.downloaded', subject, details, at })
      await within(MAX_WAIT_MS, flush(), undefined)
    },
    /** Writes what is left and stops. */
    stop: async (): Promise<void> => {
      clearTimeout(retry)
      await flush()
      clearTimeout(retry)
    },
  }
}

/** The key of another workspace opens nothing here: its holder uses the public link. */
function accessOf(
  { caller }: Pick<FastifyRequest, 'caller'>,
  workspaceId: WorkspaceId,
): { readonly actor: NewEvent['actor']; readonly access: 'api_key' | 'session' | 'link' | 'public_link' } {
  if (caller.is === 'anyone' || caller.workspaceId !== workspaceId)
    return { actor: { is: 'anonymous' }, access: 'public_link' }
  return { actor: caller.actor, access: ACCESS[caller.actor.is] }
}

const ACCESS = { key: 'api_key', member: 'session', link: 'link' } as const

function rejectExcess(waitMs: number): void {
  const refusal = rateRefusal(waitMs, 'downloads')
  if (refusal !== undefined) throw refusal
}
