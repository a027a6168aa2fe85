import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { workspaceOf } from '../http/caller.ts'
import { hasStoredResponse, idempotencyName, sendStoredResponse } from '../http/idempotency.ts'
import { idempotencyHeader, ref } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import { findSubmission } from './submission-queries.ts'
import { boundaryOf } from './multipart.ts'
import { receiveEvidence, repeatEvidence } from './receive-evidence.ts'
import { readBody } from '../http/read-body.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'

/** For the OpenAPI document. The body itself is streamed. */
const FORM = {
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: {
            type: 'array',
            items: { type: 'string', format: 'binary' },
            description: 'A ZIP archive or any other file. Repeat for each file.',
          },
          final: {
            type: 'string',
            enum: ['true', 'false'],
            default: 'true',
            description: 'Send `false` if more uploads follow.',
          },
          accept: {
            type: 'array',
            items: { type: 'string' },
            description: 'The code of a finding that you acknowledge. Repeat for each code.',
          },
          provenance: {
            type: 'string',
            description:
              'JSON, as `provenance` of a new submission. It replaces what was stated before about all files, or about the same file.',
          },
        },
      },
    },
  },
} as const

/** POST /v1/submissions/{submission_id}/evidence. */
export function registerEvidenceRoutes(app: FastifyInstance, ctx: SubmissionContext): void {
  const locks = uploadLocks()
  const idleMs = ctx.config.requestTimeoutSeconds * 1000

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.route<{ Params: { readonly submission_id: string } }>({
      method: 'POST',
      url: '/v1/submissions/:submission_id/evidence',
      schema: {
        operationId: 'uploadEvidence',
        summary: 'Upload evidence',
        description:
          'Each `file` part is one file. The upload submits them and starts the checks, unless `final` is `false`. ' +
          'An aborted or rejected upload does not change the submission.',
        headers: idempotencyHeader(
          'A retry with the same key and the same files within 24 hours returns the first response.',
        ),
        body: FORM,
        response: {
          202: ref('Submission'),
        },
      },
      handler: async (request, reply) => {
        const caller = workspaceOf(request.caller)
        const submission = await findSubmission(ctx, request)
        const boundary = boundaryIn(request)
        const once = idempotencyName(request)
        using body = readBody(request.raw, { idleMs, space: ctx.space })
        const contentLength = lengthOf(request.raw)
        const upload = { submission, caller, body: body.chunks, boundary, contentLength, once }
        const received = await locks.run(submission.submission_id, async () => {
          if (once !== undefined && (await hasStoredResponse(ctx.db, ctx.clock, once)))
            return repeatEvidence(ctx, upload, once)
          ctx.queue.refuseWhenFull(caller.workspaceId)
          return receiveEvidence(ctx, upload)
        })
        if (received.submitted && !received.replayed) ctx.queue.added(caller.workspaceId)
        reply.headers({
          location: `/v1/submissions/${submission.submission_id}`,
          'retry-after': ctx.queue.retryAfter(caller.workspaceId),
        })
        return sendStoredResponse(reply, received)
      },
    })
  })
}

function boundaryIn({ headers }: FastifyRequest): string {
  const type = headers['content-type'] ?? ''
  const encoding = headers['content-encoding']
  if (!/^multipart\/form-data\s*(;|$)/i.test(type))
    throw new Refusal('media_type_unsupported', 'Send the evidence as multipart/form-data.')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new Refusal('media_type_unsupported', 'Send the evidence without Content-Encoding.')
  const boundary = boundaryOf(type)
  if (boundary === undefined)
    throw new Refusal('multipart_malformed', 'The Content-Type needs a valid boundary parameter.')
  return boundary
}

function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/**
 * Allows one upload per submission in this process and rejects a second one before it is read. Between processes, the
 * database decides which upload wins, so a crash leaves no lock behind.
 */
interface UploadLocks {
  run<T>(id: SubmissionId, upload: () => Promise<T>): Promise<T>
}

function uploadLocks(): UploadLocks {
  const locked = new Set<SubmissionId>()
  return {
    run: async (id, upload) => {
      if (locked.has(id)) throw inProgress()
      locked.add(id)
      try {
        return await upload()
      } finally {
        locked.delete(id)
      }
    },
  }
}

const inProgress = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload to this submission is in progress. Wait until it finishes.',
    {
      headers: { 'retry-after': '2' },
    },
  )
