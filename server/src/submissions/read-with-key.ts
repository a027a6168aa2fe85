import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { isSubmissionId } from '../runtime/identifiers.ts'
import type { ReadWithKey } from '../access/api-keys.ts'
import { type SubmissionWithEvidence, withEvidenceQuery } from './submission-queries.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the submission in the path is read together with the API key. */
    readonly readsSubmission?: true
  }
}

const taken = new WeakMap<object, SubmissionWithEvidence | null>()

/** Reads the submission of a request in the same statement as its key. For PostgreSQL, where a statement is a round trip. */
export function submissionWithKey(db: Kysely<Database>): ReadWithKey {
  return {
    query: withEvidenceQuery(db) as unknown as ReadWithKey['query'],
    parameterOf: ({ routeOptions, params }: FastifyRequest) => {
      if (routeOptions.config.readsSubmission !== true) return undefined
      const { submission_id = '' } = params as { readonly submission_id?: string }
      return isSubmissionId(submission_id) ? submission_id : undefined
    },
    take: (request, row) => void taken.set(request, row as SubmissionWithEvidence | null),
  }
}

/** What was read with the key: null if there is no such submission, undefined if it was not read. */
export const readWithKey = (request: object): SubmissionWithEvidence | null | undefined => taken.get(request)
