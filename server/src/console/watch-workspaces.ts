import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { AuditEventsTable, Database } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../identifiers.ts'
import type { EventLog } from '../log.ts'
import { submissionQueries } from '../submissions/submission-queries.ts'
import { statusOf, type SubmissionView } from '../submissions/submission.ts'
import { change } from './submission-detail.ts'

/** What is told of a workspace. `sequence` is its place in the trail: whoever has it can go on from there. */
export interface News {
  readonly event: 'submission' | 'change' | 'reset'
  readonly sequence: number
  readonly data: object
}

export type Listener = (news: News) => void

/**
 * Tells what changes in workspaces that somebody looks at. Every change writes an event into the workspace's trail, at
 * whichever node it is made: one look at the trail's length, twice a second, finds it. Nobody looks, nothing is read.
 */
export interface WorkspaceWatch {
  /** Tells of everything after `after`, or from now on; returns where that is, and how to stop it. */
  listen(workspaceId: WorkspaceId, after: number | undefined, listener: Listener): Promise<Listening>
  stop(): Promise<void>
}

export interface Listening {
  readonly sequence: number
  end(): void
}

interface Watched {
  readonly listeners: Set<Listener>
  /** Those that wait for a worker or are worked on, and what was last told of each: beginning is not in the trail. */
  readonly inHand: Map<SubmissionId, string>
  last: number
}

const LOOK_EVERY_MS = 500
const MOST_EVENTS = 200
const MOST_IN_HAND = 100

export function watchWorkspaces(db: Kysely<Database>, clock: Clock, log: EventLog): WorkspaceWatch {
  const watched = new Map<WorkspaceId, Promise<Watched>>()
  const submissions = submissionQueries(db)
  const now = (): string => timestamp(clock.now())
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()

  const look = async (): Promise<void> => {
    const all = await Promise.all([...watched].map(async ([id, each]) => [id, await each] as const))
    const lengths = await trailLengths(db, [...watched.keys()])
    for (const [id, workspace] of all) {
      const length = lengths.get(id) ?? workspace.last
      if (length > workspace.last) await tell(workspace, await eventsAfter(db, id, workspace.last), length)
      for (const [submissionId, told] of workspace.inHand) await follow(workspace, submissionId, told)
    }
  }

  const schedule = (): void => {
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.error({ err: error }, 'looking for changes failed'))
        .then(() => (watched.size > 0 ? schedule() : (timer = undefined)))
        .then(() => undefined)
    }, LOOK_EVERY_MS).unref()
  }

  const tell = async (workspace: Watched, events: readonly Event[], length: number): Promise<void> => {
    const isWhole = events.length <= MOST_EVENTS
    workspace.last = isWhole ? (events.at(-1)?.sequence ?? length) : length
    const news = isWhole ? await newsOf(events, workspace.inHand) : [reset(length)]
    for (const listener of workspace.listeners) for (const each of news) listener(each)
  }

  /** Of a submission, what it is now: what it was in between is nobody's concern. */
  const newsOf = async (
    events: readonly Event[],
    inHand: Watched['inHand'] | undefined,
  ): Promise<readonly News[]> => {
    const news: News[] = []
    for (const { sequence, action, subject } of events) {
      const view = isOfSubmission(action) ? await submissions.find(subject as SubmissionId) : undefined
      if (view === undefined) news.push({ event: 'change', sequence, data: { action, subject } })
      else {
        const data = change(view, now())
        if (inHand !== undefined) keep(inHand, view, data)
        news.push({ event: 'submission', sequence, data })
      }
    }
    return news
  }

  const keep = (inHand: Watched['inHand'], view: SubmissionView, data: object): void => {
    if (isInHand(view, now()) && inHand.size < MOST_IN_HAND)
      inHand.set(view.submission_id, JSON.stringify(data))
    else inHand.delete(view.submission_id)
  }

  const follow = async (workspace: Watched, id: SubmissionId, told: string): Promise<void> => {
    const view = await submissions.find(id)
    if (view === undefined) return
    const data = change(view, now())
    if (JSON.stringify(data) === told) return
    keep(workspace.inHand, view, data)
    for (const listener of workspace.listeners)
      listener({ event: 'submission', sequence: workspace.last, data })
  }

  const begin = async (workspaceId: WorkspaceId): Promise<Watched> => {
    const last = (await trailLengths(db, [workspaceId])).get(workspaceId) ?? 0
    const workspace: Watched = { listeners: new Set(), inHand: new Map(), last }
    const newest = await submissions.list(workspaceId, Number.MAX_SAFE_INTEGER, MOST_IN_HAND)
    for (const view of newest) keep(workspace.inHand, view, change(view, now()))
    return workspace
  }

  return {
    listen: async (workspaceId, after, listener) => {
      const known = watched.get(workspaceId) ?? begin(workspaceId)
      watched.set(workspaceId, known)
      const workspace = await known.catch((error: unknown) => {
        watched.delete(workspaceId)
        throw error
      })
      // What comes while the past is read waits, so that everything is told in order.
      const waiting: News[] = []
      let pass: Listener = (news) => void waiting.push(news)
      const own: Listener = (news) => pass(news)
      workspace.listeners.add(own)
      const { last } = workspace
      if (timer === undefined) schedule()
      if (after !== undefined && after !== last) {
        const missed = after < last ? await eventsAfter(db, workspaceId, after) : undefined
        const isWhole = missed !== undefined && missed.length <= MOST_EVENTS
        const past = isWhole
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
      await looking
      clearTimeout(timer)
    },
  }
}

type Event = Pick<AuditEventsTable, 'sequence' | 'action' | 'subject'>

const reset = (sequence: number): News => ({ event: 'reset', sequence, data: {} })

const isOfSubmission = (action: string): boolean => /^(submission|evidence)\./.test(action)

const isInHand = (view: SubmissionView, now: string): boolean => {
  const status = statusOf(view, now)
  return status === 'RUNNING' || (status === 'PENDING' && view.job_status !== 'DRAFT')
}

async function trailLengths(
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

/** Oldest first, and one more than are told: then there are too many. */
const eventsAfter = (db: Kysely<Database>, workspaceId: WorkspaceId, after: number): Promise<Event[]> =>
  db
    .selectFrom('audit_events')
    .select(['sequence', 'action', 'subject'])
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(MOST_EVENTS + 1)
    .execute()
