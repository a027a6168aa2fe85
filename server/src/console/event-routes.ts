import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { ConsoleServices } from './console-services.ts'
import { sessionOf } from './guard.ts'
import type { ConsoleSession } from './sessions.ts'
import { type News, watchWorkspaces } from './watch-workspaces.ts'

export const STREAMS_PER_SESSION = 4
/** Streams stay open, and must leave room for requests that do not. */
const SHARE_OF_REQUESTS = 4
const MOST_STREAMS = 500
const HEARTBEAT_MS = 15_000
const CHECK_EVERY_MS = 2000
const MOST_WAITING_BYTES = 256 * 1024

interface OpenStream {
  readonly session: ConsoleSession
  end(reason: 'session' | 'stopping'): void
}

/** GET /events: what changes in the workspace, as it changes, for as long as the session goes on. */
export function registerEventRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, clock, log, sessions, config } = services
  const watch = watchWorkspaces(db, clock, log)
  const open = new Set<OpenStream>()
  const most = Math.min(MOST_STREAMS, Math.ceil(config.maxInFlight / SHARE_OF_REQUESTS))

  scope.addHook('preClose', async () => {
    for (const stream of open) stream.end('stopping')
    await watch.stop()
  })

  scope.get('/events', async (request, reply) => {
    const session = sessionOf(request)
    const own = [...open].filter((each) => each.session.sessionId === session.sessionId)
    if (open.size >= most || own.length >= STREAMS_PER_SESSION) throw exhausted()
    const stream = new Readable({ read: () => undefined })
    const write = (text: string): void => {
      if (stream.readableLength > MOST_WAITING_BYTES) stream.destroy()
      else if (!stream.readableEnded && !stream.destroyed) stream.push(text)
    }
    const beat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
    const check = setInterval(() => void goesOn(), CHECK_EVERY_MS)
    const goesOn = async (): Promise<void> => {
      const is = await sessions.goesOn(session.sessionId).catch(() => true)
      if (!is) entry.end('session')
    }
    const entry: OpenStream = {
      session,
      end: (reason) => {
        write(message({ event: 'ended', data: { reason } }))
        close()
        stream.push(null)
      },
    }
    let listening: { end(): void } | undefined
    const close = (): void => {
      open.delete(entry)
      clearInterval(beat)
      clearInterval(check)
      listening?.end()
    }
    open.add(entry)
    stream.once('close', close)
    reply.raw.once('close', () => stream.destroy())
    write('retry: 3000\n\n')
    try {
      const begun: News[] = []
      let isReady = false
      const told = await watch.listen(session.workspaceId, lastEventId(request), (news) => {
        if (isReady) write(message(news))
        else begun.push(news)
      })
      listening = told
      write(message({ event: 'ready', sequence: told.sequence, data: {} }))
      isReady = true
      for (const news of begun) write(message(news))
      if (!open.has(entry)) told.end()
    } catch (error) {
      stream.destroy()
      throw error
    }
    return reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      .send(stream)
  })
}

interface Message {
  readonly event: string
  readonly sequence?: number
  readonly data: object
}

const message = ({ event, sequence, data }: Message): string =>
  `event: ${event}\n${sequence === undefined ? '' : `id: ${sequence}\n`}data: ${JSON.stringify(data)}\n\n`

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

const exhausted = (): Refusal =>
  new Refusal('streams_exhausted', 'Too many pages listen at once. Ask now and then instead.', {
    headers: { 'retry-after': '10' },
  })
