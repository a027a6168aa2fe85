import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusals.ts'
import { errors } from './route-schemas.ts'

/** One thing that the service needs; rejects, or answers false, where it is not there. */
export type ReadyCheck = () => Promise<boolean>

export interface Readiness {
  readonly clock: Clock
  readonly checks: Readonly<Record<string, ReadyCheck>>
  isStopping(): boolean
}

const FRESH_MS = 1000
const Status = Type.Object({ status: Type.String() }, { additionalProperties: false })
const about = (operationId: string, summary: string) => ({ operationId, summary, tags: ['Operation'] })

export function registerHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get(
    '/healthz',
    { schema: { ...about('getHealth', 'Whether the process answers'), response: { 200: Status } } },
    async () => ({
      status: 'ok',
    }),
  )

  const failing = shared(readiness)
  app.get(
    '/readyz',
    {
      schema: {
        ...about('getReadiness', 'Whether the service can do its work'),
        response: { 200: Status, ...errors(503) },
      },
    },
    async () => {
      const retry = { headers: { 'retry-after': '2' } }
      if (readiness.isStopping()) throw new Refusal('stopping', 'The service is being stopped.', retry)
      const names = await failing()
      if (names.length > 0) throw new Refusal('store_unavailable', `Not ready: ${names.join(', ')}.`, retry)
      return { status: 'ready' }
    },
  )
}

/** Asked often, checked once a second: a probe must not be able to wear the service out. */
function shared({ clock, checks }: Readiness): () => Promise<readonly string[]> {
  let latest: { readonly at: number; readonly failing: Promise<readonly string[]> } | undefined
  return () => {
    const now = clock.now()
    if (latest === undefined || Math.abs(now - latest.at) >= FRESH_MS)
      latest = { at: now, failing: failingChecks(checks) }
    return latest.failing
  }
}

async function failingChecks(checks: Readonly<Record<string, ReadyCheck>>): Promise<readonly string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ((await inTime(check)) ? [] : [name])),
  )
  return results.flat()
}

const PATIENCE_MS = 3000

/** Whoever probes has no patience: what does not answer soon is not there. */
async function inTime(check: ReadyCheck): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), PATIENCE_MS)
  const holds = await Promise.race([check().catch(() => false), late])
  clearTimeout(timer)
  return holds
}
