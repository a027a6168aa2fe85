import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '../refusals.ts'
import type { ReadyResults } from './readiness.ts'
import { errors } from './route-schemas.ts'

export interface Readiness {
  results(): Promise<ReadyResults>
  isStopping(): boolean
}

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

  app.get(
    '/readyz',
    {
      schema: {
        ...about(
          'getReadiness',
          'Readiness probe',
          '503 while the database or the object store is unavailable, the disk is full, the clock is wrong, or the service is shutting down. The message says why.',
        ),
        response: { 200: Status, ...errors(401, 503) },
      },
    },
    async () => {
      const retry = { headers: { 'retry-after': '2' } }
      if (readiness.isStopping()) throw new Refusal('stopping', 'The service is shutting down.', retry)
      const names = failing(await readiness.results())
      if (names.length > 0) throw new Refusal('store_unavailable', `Not ready: ${names.join(', ')}.`, retry)
      return { status: 'ready' }
    },
  )
}

const failing = (results: ReadyResults): readonly string[] =>
  [...results]
    .filter(([, result]) => result !== true)
    .map(([name, result]) => (typeof result === 'string' ? `${name} (${result})` : name))
