import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { workspaceOf } from '../http/caller.ts'
import { isAnswered, onceName, sendAnswer } from '../http/idempotency.ts'
import { errors, onceHeader } from '../http/route-schemas.ts'
import { ref } from '../http/schemas.ts'
import { Refusal } from '../refusals.ts'
import { ownSubmission } from './own-submission.ts'
import { boundaryOf } from './part-headers.ts'
import { receiveEvidence, repeatEvidence } from './receive-evidence.ts'
import { readBody } from './read-body.ts'
import type { SubmissionQueries } from './submission-queries.ts'
import type { SubmissionContext } from './submission-context.ts'
import { uploadTurns } from './upload-turns.ts'

/** How the form is described; the body itself is read as it arrives. */
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
            description: 'A ZIP or supported evidence file; once for each file.',
          },
          final: {
            type: 'string',
            enum: ['true', 'false'],
            default: 'true',
            description: '`false` keeps the submission open for more uploads.',
          },
        },
      },
    },
  },
} as const

/** POST /v1/submissions/{submission_id}/evidence. */
export function registerEvidenceRoutes(
  app: FastifyInstance,
  ctx: SubmissionContext,
  submissions: SubmissionQueries,
): void {
  const turns = uploadTurns()
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
          'Each part `file` is one file. The upload seals the submission and starts it, unless the field `final` is `false`. ' +
          'A cut or refused upload leaves the submission as it was.',
        tags: ['Submissions'],
        params: Type.Object({ submission_id: Type.String() }),
        headers: onceHeader(
          'Repeats of one key within 24 hours, with the same files, are answered as the first was.',
        ),
        body: FORM,
        response: {
          202: ref('Submission'),
          ...errors(400, 401, 402, 403, 404, 408, 409, 413, 415, 429, 503),
        },
      },
      handler: async (request, reply) => {
        const caller = workspaceOf(request.caller)
        const submission = await ownSubmission(submissions, request)
        const boundary = boundaryIn(request)
        const once = onceName(request)
        using body = readBody(request.raw, idleMs)
        const contentLength = lengthOf(request.raw)
        const upload = { submission, caller, body: body.pieces, boundary, contentLength, once }
        const received = await turns.during(submission.submission_id, async () => {
          if (once !== undefined && (await isAnswered(ctx.db, ctx.clock, once)))
            return repeatEvidence(ctx, upload, once)
          ctx.queue.refuseWhenFull()
          return receiveEvidence(ctx, upload)
        })
        if (received.sealed && !received.replayed) ctx.queue.added()
        reply.headers({ location: `/v1/submissions/${submission.submission_id}`, 'retry-after': '1' })
        return sendAnswer(reply, received)
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
    throw new Refusal('multipart_malformed', 'The Content-Type names no boundary, or one that can not be.')
  return boundary
}

function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
