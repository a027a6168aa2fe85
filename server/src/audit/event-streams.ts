import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Db } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { newestEvent, newestEvents, readFeed } from './read-feed.ts'

export interface StreamContext {
  readonly db: Db
  readonly config: { readonly maxInFlight: number }
  /** Whether the key or session of a stream is still valid. */
  isActive(caller: WorkspaceCaller): Promise<boolean>
}

/** By one key or session. */
export const STREAMS_PER_CREDENTIAL = 10
const MAX_STREAMS = 500
/** Streams may use a quarter of the concurrent requests, and one workspace a quarter of those. */
const SHARE = 4
const POLL_EVERY_MS = 500
const CHECK_EVERY = 4
const HEARTBEAT_EVERY = 30
const PAGE = 200

interface OpenStream {
  readonly workspaceId: WorkspaceId
  readonly credential: string
}

export function eventStreams({ db, config, isActive }: StreamContext) {
  const most = Math.min(MAX_STREAMS, Math.ceil(config.maxInFlight / SHARE))
  const mostPerWorkspace = Math.max(STREAMS_PER_CREDENTIAL, Math.ceil(most / SHARE))
  const open = new Set<OpenStream>()
  const stopping = new AbortController()
  let polling: Promise<ReadonlyMap<WorkspaceId, number>> | undefined

  /** All streams wait for the same statement. Without streams there is none. */
  const nextPoll = (): Promise<ReadonlyMap<WorkspaceId, number>> => {
    polling ??= pause(stopping.signal).then(() => {
      polling = undefined
      const watched = new Set([...open].map(({ workspaceId }) => workspaceId))
      return newestEvents(db, [...watched]).catch(() => new Map())
    })
    return polling
  }

  async function* follow(caller: WorkspaceCaller, stream: OpenStream, start: number): AsyncGenerator<string> {
    const { workspaceId } = stream
    let after = start
    yield 'retry: 3000\n\n'
    let newest = await newestEvent(db, workspaceId)
    for (let poll = 1; open.has(stream) && !stopping.signal.aborted; poll += 1) {
      while (newest > after) {
        const events = await readFeed(db, workspaceId, after, PAGE)
        if (events.length === 0) break
        for (const event of events) {
          after = event.seq
          yield `event: ${event.type}\nid: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
        }
      }
      if (poll % HEARTBEAT_EVERY === 0) yield ': keep-alive\n\n'
      newest = (await nextPoll()).get(workspaceId) ?? newest
      // Without an answer from the database, the stream stays.
      if (poll % CHECK_EVERY === 0 && !(await isActive(caller).catch(() => true))) return
    }
  }

  return {
    open: (caller: WorkspaceCaller, after: number, response: ServerResponse): Readable => {
      const stream = { workspaceId: caller.workspaceId, credential: credentialOf(caller) }
      const like = (name: keyof OpenStream): number =>
        [...open].filter((each) => each[name] === stream[name]).length
      if (
        open.size >= most ||
        like('credential') >= STREAMS_PER_CREDENTIAL ||
        like('workspaceId') >= mostPerWorkspace
      )
        throw exhausted()
      open.add(stream)
      // The 'close' event of the result waits for what the generator yields next, which may be a heartbeat.
      response.once('close', () => open.delete(stream))
      return Readable.from(follow(caller, stream, after))
    },
    stop: (): void => stopping.abort(),
  }
}

const credentialOf = ({ actor, session }: WorkspaceCaller): string =>
  session?.sessionId ?? (actor.is === 'key' ? actor.keyId : '')

const exhausted = (): Refusal =>
  new Refusal('streams_exhausted', 'Too many event streams are open. Close one, or poll instead.', {
    headers: { 'retry-after': '10' },
  })

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, POLL_EVERY_MS)
    signal.addEventListener('abort', done)
  })
}
