import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { idempotencyKey, type IdempotentResponse, runOnce, type StoredResponse } from '../http/idempotency.ts'
import { listResponse } from '../http/page-query.ts'
import { deleted, idempotencyHeader, ref } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import {
  appendToUpload,
  claimUpload,
  createUpload,
  dropUpload,
  findUpload,
  finishUpload,
  isReceived,
  openUploads,
  tooLong,
  uploadRecord,
  type UploadRow,
} from './resumable-uploads.ts'
import { findSubmission } from './submission-queries.ts'
import { readBody } from '../http/read-body.ts'
import { rejectSubmitted, rejectWithoutCredits } from './receive-evidence.ts'
import type { SubmissionView } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import {
  CHUNK_TYPE,
  hasContent,
  type NewUpload,
  readBytes,
  readChecksum,
  readNewUpload,
  requireChunkType,
  requireTusVersion,
  TUS_ALGORITHMS,
  TUS_EXTENSIONS,
  TUS_VERSION,
} from './tus-headers.ts'
import type { Upload, UploadList } from './submission-schemas.ts'
import type { Db } from '../database/schema.ts'

type OfSubmission = { Params: { readonly submission_id: string } }
type OfUpload = { Params: { readonly submission_id: string; readonly upload_id: string } }

type UploadHandler = (request: FastifyRequest<OfUpload>, reply: FastifyReply) => Promise<FastifyReply>

const text = (description: string) => Type.String({ description })
const VERSION = { 'Tus-Resumable': text('`1.0.0`') }
const CHECKSUM = {
  'Upload-Checksum': Type.Optional(text('`sha256 BASE64` of the body. A body that differs is discarded.')),
}
const CHUNK = {
  content: { [CHUNK_TYPE]: { schema: { type: 'string', format: 'binary' } } },
} as const
const URL = '/v1/submissions/:submission_id/uploads'

/** Resumable uploads by the tus protocol 1.0: /v1/submissions/{submission_id}/uploads. */
export function registerUploadRoutes(app: FastifyInstance, ctx: SubmissionContext): void {
  const idleMs = ctx.config.requestTimeoutSeconds * 1000
  const now = (): string => timestamp(ctx.clock.now())

  /** The rest of the request body, appended to the upload. */
  const append = async (
    request: FastifyRequest,
    upload: UploadRow,
    caller: WorkspaceCaller,
  ): Promise<number> => {
    const checksum = readChecksum(request.headers)
    rejectTooLong(request, upload)
    using body = readBody(request.raw, { idleMs, space: ctx.space })
    return await appendToUpload(ctx, { upload, caller, content: body.chunks, checksum })
  }

  const create = (
    request: FastifyRequest,
    submission: SubmissionView,
    caller: WorkspaceCaller,
    asked: NewUpload,
  ): Promise<IdempotentResponse> => {
    const insert = async (trx: Db): Promise<StoredResponse> => {
      const { request_id } = submission
      await ctx.admit?.(trx, { request_id, names: [asked.name], isFinal: false }, caller)
      const row = await createUpload(trx, ctx, submission, caller, asked)
      return { status: 201, body: JSON.stringify(uploadRecord(row)) }
    }
    const once = idempotencyKey(request, [submission.submission_id, { ...asked }])
    return runOnce(ctx.db, ctx.clock, once, insert)
  }

  /** Finishes an upload whose bytes have all arrived, if the request that received them could not. */
  const finished = async (
    request: FastifyRequest,
    upload: UploadRow,
    caller: WorkspaceCaller,
  ): Promise<UploadRow> => {
    if (!isReceived(upload)) return upload
    await using _ = await claimUpload(ctx, upload).catch((error: unknown) => {
      throw request.method === 'HEAD' && isInProgress(error) ? locked(error) : error
    })
    await finishUpload(ctx, { upload, caller })
    return findUpload(ctx, upload.submission_id, upload.upload_id)
  }

  const continueUpload: UploadHandler = async (request, reply) => {
    const caller = workspaceOf(request.caller)
    const submission = await findSubmission(ctx, request)
    const upload = await findUpload(ctx, submission.submission_id, request.params.upload_id)
    requireChunkType(request.headers)
    const offset = readBytes(request.headers, 'upload-offset', 'Upload-Offset')
    if (offset !== Number(upload.offset_bytes)) throw wrongOffset(upload)
    if (upload.finished_at !== null) {
      rejectTooLong(request, upload)
    } else {
      rejectSubmitted(submission)
      await append(request, upload, caller)
    }
    const after = await findUpload(ctx, submission.submission_id, upload.upload_id)
    return reply.code(204).headers(stateHeaders(after)).send()
  }

  const deleteUpload: UploadHandler = async (request, reply) => {
    workspaceOf(request.caller)
    const { submission_id } = await findSubmission(ctx, request)
    const upload = await findUpload(ctx, submission_id, request.params.upload_id)
    if (upload.finished_at !== null)
      throw new Refusal('upload_finished', 'The upload is finished, and its file is part of the submission.')
    await using _ = await claimUpload(ctx, upload)
    await dropUpload(ctx, upload)
    return reply.code(204).send()
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('tus-resumable', TUS_VERSION)
      if (request.method !== 'OPTIONS' && request.method !== 'GET') requireTusVersion(request.headers)
    })

    scope.route<OfSubmission>({
      method: 'OPTIONS',
      url: URL,
      schema: { hide: true },
      handler: async (request, reply) => {
        const { plan } = workspaceOf(request.caller)
        await findSubmission(ctx, request)
        return reply
          .code(204)
          .headers({
            'tus-version': TUS_VERSION,
            'tus-extension': TUS_EXTENSIONS,
            'tus-max-size': String(plan.uploadLimitBytes),
            'tus-checksum-algorithm': TUS_ALGORITHMS,
          })
          .send()
      },
    })

    scope.route<OfSubmission>({
      method: 'POST',
      url: URL,
      schema: {
        operationId: 'createUpload',
        summary: 'Create a resumable upload',
        description:
          'For large files (tus protocol 1.0). `Location` is the upload; send the content with `PATCH`. A body is accepted here too. ' +
          'Once all bytes have arrived, the file is evidence of the submission. To submit, send `final=true` to `/evidence`.',
        headers: Type.Object({
          ...VERSION,
          'Upload-Length': text('The size of the file in bytes.'),
          'Upload-Metadata': text(
            '`filename BASE64`, and optionally `resume_key BASE64`: any text that identifies the content, to recognize the upload later. Other members are kept and returned with `HEAD`.',
          ),
          ...CHECKSUM,
          ...idempotencyHeader('A retry with the same key within 24 hours creates no second upload.')
            .properties,
        }),
        body: CHUNK,
        response: {
          201: ref('Upload'),
        },
      },
      handler: async (request, reply) => {
        const caller = workspaceOf(request.caller)
        const submission = await findSubmission(ctx, request)
        const asked = readNewUpload(request.headers)
        const hasBody = hasContent(request.headers)
        if (hasBody) requireChunkType(request.headers)
        rejectSubmitted(submission)
        rejectWithoutCredits(submission)
        const created = await create(request, submission, caller, asked)
        const { upload_id } = JSON.parse(created.body) as Upload
        const find = (): Promise<UploadRow> => findUpload(ctx, submission.submission_id, upload_id)
        let row = await find()
        if (!created.replayed && (hasBody || asked.sizeBytes === 0)) {
          await append(request, row, caller)
          row = await find()
        }
        if (created.replayed) reply.header('idempotency-replayed', 'true')
        reply.header('location', `${request.url.split('?', 1)[0]}/${upload_id}`)
        return reply.code(201).headers(stateHeaders(row)).send(uploadRecord(row))
      },
    })

    scope.route<OfSubmission>({
      method: 'GET',
      url: URL,
      schema: {
        operationId: 'listUploads',
        summary: 'List unfinished uploads',
        description: 'The resumable uploads of a submission that can be continued, oldest first.',
        response: { 200: ref('UploadList') },
      },
      handler: async (request): Promise<UploadList> => {
        const { submission_id } = await findSubmission(ctx, request)
        const rows = await openUploads(ctx.db, submission_id, now())
        return listResponse(rows.map(uploadRecord))
      },
    })

    scope.route<OfUpload>({
      method: 'GET',
      url: `${URL}/:upload_id`,
      schema: {
        operationId: 'getUpload',
        summary: 'Get a resumable upload',
        description: '`HEAD` returns the headers alone; `Upload-Offset` says where to continue.',
        response: { 200: ref('Upload') },
      },
      handler: async (request, reply) => {
        const caller = workspaceOf(request.caller)
        const { submission_id } = await findSubmission(ctx, request)
        const found = await findUpload(ctx, submission_id, request.params.upload_id)
        // A client that reads the full offset considers the upload finished.
        const upload = await finished(request, found, caller)
        return reply.headers(stateHeaders(upload)).send(uploadRecord(upload))
      },
    })

    scope.route<OfUpload>({
      method: 'PATCH',
      url: `${URL}/:upload_id`,
      schema: {
        operationId: 'appendToUpload',
        summary: 'Send the next bytes of an upload',
        description:
          'The body follows the bytes that the service has. Bytes that a response acknowledges are stored durably; of an interrupted ' +
          'request, those that arrived are kept. The last bytes make the file evidence of the submission.',
        headers: Type.Object({
          ...VERSION,
          'Upload-Offset': text('How many bytes the service has. 409 if it has more or fewer.'),
          ...CHECKSUM,
        }),
        body: CHUNK,
        response: {
          204: Type.Null({ description: 'Stored. `Upload-Offset` is the new offset.' }),
        },
      },
      handler: continueUpload,
    })

    // For clients that can send GET and POST only.
    scope.route<OfUpload>({
      method: 'POST',
      url: `${URL}/:upload_id`,
      schema: { hide: true },
      handler: (request, reply) => {
        const method = String(request.headers['x-http-method-override']).toUpperCase()
        if (method === 'PATCH') return continueUpload(request, reply)
        if (method === 'DELETE') return deleteUpload(request, reply)
        throw new Refusal('method_not_allowed', 'Use PATCH, or POST with X-HTTP-Method-Override: PATCH.', {
          headers: { allow: 'DELETE, GET, HEAD, PATCH' },
        })
      },
    })

    scope.route<OfUpload>({
      method: 'DELETE',
      url: `${URL}/:upload_id`,
      schema: {
        operationId: 'deleteUpload',
        summary: 'Delete an unfinished upload',
        description: 'Removes the bytes that arrived. A finished upload is evidence and cannot be deleted.',
        headers: Type.Object(VERSION),
        response: {
          ...deleted,
        },
      },
      handler: deleteUpload,
    })
  })
}

/** The state of an upload in the headers of the protocol. */
function stateHeaders(row: UploadRow): Record<string, string> {
  return {
    'upload-offset': String(row.offset_bytes),
    'upload-length': String(row.size_bytes),
    'upload-metadata': row.metadata,
    ...(row.finished_at === null ? { 'upload-expires': new Date(row.expires_at).toUTCString() } : {}),
  }
}

function rejectTooLong({ headers }: FastifyRequest, { size_bytes, offset_bytes }: UploadRow): void {
  if (Number(headers['content-length'] ?? 0) > Number(size_bytes) - Number(offset_bytes)) throw tooLong()
}

const isInProgress = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'upload_in_progress'

/** Only with this status do tus clients ask again. After any other 4xx they start over. */
const locked = (cause: unknown): Refusal =>
  new Refusal('upload_locked', 'All bytes have arrived and are being stored. Try again in a second.', {
    cause,
    headers: { 'retry-after': '1' },
  })

const wrongOffset = ({ offset_bytes }: UploadRow): Refusal =>
  new Refusal('upload_offset_wrong', `The upload has ${offset_bytes} bytes. Continue there.`, {
    headers: { 'upload-offset': String(offset_bytes) },
  })
