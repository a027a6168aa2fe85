import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { ConsoleServices } from './console-services.ts'
import { sessionOf } from './guard.ts'
import type { ConsoleSession } from '../access/sessions.ts'
import { type News, watchWorkspaces } from './watch-workspaces.ts'

export const STREAMS_PER_SESSION = 4
/** Streams may use a quarter of the concurrent requests. */
const SHARE_OF_REQUESTS = 4
const MAX_STREAMS = 500
const HEARTBEAT_MS = 15_000
const CHECK_EVERY_MS = 2000
const MAX_BUFFERED_BYTES = 256 * 1024

interface OpenStream {
  readonly session: ConsoleSession
  end(reason: 'session' | 'stopping'): void
}

/** GET /events streams changes in the workspace until the session ends. */
export function registerEventRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, clock, log, sessions, config } = services
  const watch = watchWorkspaces(db, clock, log)
  const open = new Set<OpenStream>()
  const maxStreams = Math.min(MAX_STREAMS, Math.ceil(config.maxInFlight / SHARE_OF_REQUESTS))

  scope.addHook('preClose', async () => {
    for (const stream of open) stream.end('stopping')
    await watch.stop()
  })

  scope.get('/events', async (request, reply) => {
    const session = sessionOf(request)
    const own = [...open].filter((each) => each.session.sessionId === session.sessionId)
    if (open.size >= maxStreams || own.length >= STREAMS_PER_SESSION) throw exhausted()
    const stream = new Readable({ read: () => undefined })
    const write = (text: string): void => {
      if (stream.readableLength > MAX_BUFFERED_BYTES) stream.destroy()
      else if (!stream.readableEnded && !stream.destroyed) stream.push(text)
    }
    const beat = setInterval(() => write(': keep-alive\n\n'), HEARTBEAT_MS)
    const check = setInterval(() => void endIfSignedOut(), CHECK_EVERY_MS)
    const endIfSignedOut = async (): Promise<void> => {
      const isActive = await sessions.isActive(session.sessionId).catch(() => true)
      if (!isActive) entry.end('session')
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
      const early: News[] = []
      let isReady = false
      const subscription = await watch.subscribe(session.workspaceId, lastEventId(request), (news) => {
        if (isReady) write(message(news))
        else early.push(news)
      })
      listening = subscription
      write(message({ event: 'ready', sequence: subscription.sequence, data: {} }))
      isReady = true
      for (const news of early) write(message(news))
      if (!open.has(entry)) subscription.end()
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
  new Refusal('streams_exhausted', 'Too many event streams are open. Close one, or poll instead.', {
    headers: { 'retry-after': '10' },
  })
