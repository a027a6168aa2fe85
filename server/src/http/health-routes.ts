import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusals.ts'
import { errors } from './route-schemas.ts'

/** Checks one dependency. Rejects, or returns false or a reason, if it is unavailable. */
export type ReadyCheck = () => Promise<boolean | string>

export interface Readiness {
  readonly clock: Clock
  readonly checks: Readonly<Record<string, ReadyCheck>>
  isStopping(): boolean
}

const FRESH_MS = 1000
const Status = Type.Object({ status: Type.String() })
const about = (operationId: string, summary: string, description: string) => ({
  operationId,
  summary,
  description,
  tags: ['Operation'],
})

export function registerHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get(
    '/healthz',
    {
      schema: {
        ...about('getHealth', 'Liveness probe', '200 as long as the process answers.'),
        response: { 200: Status, ...errors(401) },
      },
    },
    async () => ({
      status: 'ok',
    }),
  )

  const failing = cachedChecks(readiness)
  app.get(
    '/readyz',
    {
      schema: {
        ...about(
          'getReadiness',
          'Readiness probe',
          '503 while the database or the object store is unavailable, or the service is shutting down.',
        ),
        response: { 200: Status, ...errors(401, 503) },
      },
    },
    async () => {
      const retry = { headers: { 'retry-after': '2' } }
      if (readiness.isStopping()) throw new Refusal('stopping', 'The service is shutting down.', retry)
      const names = await failing()
      if (names.length > 0) throw new Refusal('store_unavailable', `Not ready: ${names.join(', ')}.`, retry)
      return { status: 'ready' }
    },
  )
}

/** Probes share one check per second, so that frequent probes cost little. */
function cachedChecks({ clock, checks }: Readiness): () => Promise<readonly string[]> {
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
    Object.entries(checks).map(async ([name, check]) => {
      const result = await resultInTime(check)
      if (typeof result === 'string') return [`${name} (${result})`]
      return result ? [] : [name]
    }),
  )
  return results.flat()
}

const CHECK_TIMEOUT_MS = 3000

/** Probes time out quickly, so a slow dependency counts as unavailable. */
async function resultInTime(check: ReadyCheck): Promise<boolean | string> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS)
  const result = await Promise.race([check().catch(() => false), late])
  clearTimeout(timer)
  return result
}
