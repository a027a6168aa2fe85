import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { AuditEventsTable, Database } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import type { EventLog } from '../runtime/logger.ts'
import { submissionQueries } from '../submissions/submission-queries.ts'
import { statusOf, type SubmissionView } from '../submissions/submission.ts'
import { change } from './submission-detail.ts'

/** A change in a workspace. `sequence` is its position in the audit log, from which a client can resume. */
export interface News {
  readonly event: 'submission' | 'change' | 'reset'
  readonly sequence: number
  readonly data: object
}

export type Listener = (news: News) => void

/**
 * Publishes changes in workspaces with subscribers. Every change on any node adds an audit event, so the length of the audit
 * log is polled twice a second. Without subscribers nothing is polled.
 */
export interface WorkspaceWatch {
  /** Publishes changes after the sequence `after`, or from now on. */
  subscribe(workspaceId: WorkspaceId, after: number | undefined, listener: Listener): Promise<Subscription>
  stop(): Promise<void>
}

export interface Subscription {
  readonly sequence: number
  end(): void
}

interface Watched {
  readonly listeners: Set<Listener>
  /** Queued and running submissions with their last published state. They are polled, because the start of work is not in the audit log. */
  readonly unfinished: Map<SubmissionId, string>
  last: number
}

const POLL_EVERY_MS = 500
const MAX_EVENTS = 200
const MAX_UNFINISHED = 100

export function watchWorkspaces(db: Kysely<Database>, clock: Clock, log: EventLog): WorkspaceWatch {
  const watched = new Map<WorkspaceId, Promise<Watched>>()
  const submissions = submissionQueries(db)
  const now = (): string => timestamp(clock.now())
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()

  const poll = async (): Promise<void> => {
    const all = await Promise.all([...watched].map(async ([id, each]) => [id, await each] as const))
    const lengths = await auditLogLengths(db, [...watched.keys()])
    for (const [id, workspace] of all) {
      const length = lengths.get(id) ?? workspace.last
      if (length > workspace.last) await publish(workspace, await eventsAfter(db, id, workspace.last), length)
      for (const [submissionId, published] of workspace.unfinished)
        await pollSubmission(workspace, submissionId, published)
    }
  }

  const schedule = (): void => {
    timer = setTimeout(() => {
      polling = poll()
        .catch((error: unknown) => log.error({ err: error }, 'polling for changes failed'))
        .then(() => (watched.size > 0 ? schedule() : (timer = undefined)))
        .then(() => undefined)
    }, POLL_EVERY_MS).unref()
  }

  const publish = async (workspace: Watched, events: readonly Event[], length: number): Promise<void> => {
    const isComplete = events.length <= MAX_EVENTS
    workspace.last = isComplete ? (events.at(-1)?.sequence ?? length) : length
    const news = isComplete ? await newsOf(events, workspace.unfinished) : [reset(length)]
    for (const listener of workspace.listeners) for (const each of news) listener(each)
  }

  /** Submissions are published with their current state, without intermediate ones. */
  const newsOf = async (
    events: readonly Event[],
    unfinished: Watched['unfinished'] | undefined,
  ): Promise<readonly News[]> => {
    const news: News[] = []
    for (const { sequence, action, subject } of events) {
      const view = isOfSubmission(action) ? await submissions.find(subject as SubmissionId) : undefined
      if (view === undefined) news.push({ event: 'change', sequence, data: { action, subject } })
      else {
        const data = change(view, now())
        if (unfinished !== undefined) track(unfinished, view, data)
        news.push({ event: 'submission', sequence, data })
      }
    }
    return news
  }

  const track = (unfinished: Watched['unfinished'], view: SubmissionView, data: object): void => {
    if (isUnfinished(view, now()) && unfinished.size < MAX_UNFINISHED)
      unfinished.set(view.submission_id, JSON.stringify(data))
    else unfinished.delete(view.submission_id)
  }

  const pollSubmission = async (workspace: Watched, id: SubmissionId, published: string): Promise<void> => {
    const view = await submissions.find(id)
    if (view === undefined) return
    const data = change(view, now())
    if (JSON.stringify(data) === published) return
    track(workspace.unfinished, view, data)
    for (const listener of workspace.listeners)
      listener({ event: 'submission', sequence: workspace.last, data })
  }

  const startWatching = async (workspaceId: WorkspaceId): Promise<Watched> => {
    const last = (await auditLogLengths(db, [workspaceId])).get(workspaceId) ?? 0
    const workspace: Watched = { listeners: new Set(), unfinished: new Map(), last }
    const newest = await submissions.list(workspaceId, Number.MAX_SAFE_INTEGER, MAX_UNFINISHED)
    for (const view of newest) track(workspace.unfinished, view, change(view, now()))
    return workspace
  }

  return {
    subscribe: async (workspaceId, after, listener) => {
      const known = watched.get(workspaceId) ?? startWatching(workspaceId)
      watched.set(workspaceId, known)
      const workspace = await known.catch((error: unknown) => {
        watched.delete(workspaceId)
        throw error
      })
      // Changes that arrive while past events are read are queued, to keep the order.
      const waiting: News[] = []
      let pass: Listener = (news) => void waiting.push(news)
      const own: Listener = (news) => pass(news)
      workspace.listeners.add(own)
      const { last } = workspace
      if (timer === undefined) schedule()
      if (after !== undefined && after !== last) {
        const missed = after < last ? await eventsAfter(db, workspaceId, after) : undefined
        const isComplete = missed !== undefined && missed.length <= MAX_EVENTS
        const past = isComplete
          ? await newsOf(
              missed.filter((event) => event.sequence <= last),
              undefined,
            )
          : [reset(last)]
        for (const news of past) listener(news)
      }
      for (const news of waiting) listener(news)
      pass = listener
      return {
        sequence: last,
        end: () => {
          workspace.listeners.delete(own)
          if (workspace.listeners.size === 0) watched.delete(workspaceId)
        },
      }
    },
    stop: async () => {
      watched.clear()
      clearTimeout(timer)
      await polling
      clearTimeout(timer)
    },
  }
}

type Event = Pick<AuditEventsTable, 'sequence' | 'action' | 'subject'>

const reset = (sequence: number): News => ({ event: 'reset', sequence, data: {} })

const isOfSubmission = (action: string): boolean => /^(submission|evidence)\./.test(action)

const isUnfinished = (view: SubmissionView, now: string): boolean => {
  const status = statusOf(view, now)
  return status === 'RUNNING' || (status === 'PENDING' && view.job_status !== 'DRAFT')
}

async function auditLogLengths(
  db: Kysely<Database>,
  ids: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('workspaces')
    .select(['workspace_id', 'audit_events'])
    .where('workspace_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.workspace_id, Number(row.audit_events)]))
}

/** Oldest first, with one more than the maximum to detect an overflow. */
const eventsAfter = (db: Kysely<Database>, workspaceId: WorkspaceId, after: number): Promise<Event[]> =>
  db
    .selectFrom('audit_events')
    .select(['sequence', 'action', 'subject'])
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(MAX_EVENTS + 1)
    .execute()
