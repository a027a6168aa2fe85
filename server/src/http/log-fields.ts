import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request was rejected before it was admitted. */
    traceId: string | undefined
  }
}

export type LoggedRequest = Pick<FastifyRequest, 'id' | 'traceId'>

/** What log lines of a request have in common. */
export const logFields = ({ id, traceId }: LoggedRequest) => ({ request_id: id, trace_id: traceId })
