import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Acting } from '../database/unit.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import {
  hasStoredResponse,
  idempotencyKey,
  idempotencyName,
  runOnce,
  sendStoredResponse,
} from '../http/idempotency.ts'
import { readBody } from '../http/read-body.ts'
import { register, route, type Service } from '../http/route.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { boundaryOf } from './multipart.ts'
import { receiveEvidence, rejectSubmitted, rejectWithoutCredits, repeatEvidence } from './receive-evidence.ts'
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
  Upload,
  UploadList,
  type UploadRow,
} from './resumable-uploads.ts'
import type { SubmissionContext } from './submission-context.ts'
import { findSubmission, type OfSubmission } from './submission-queries.ts'
import { UPLOAD_CODES } from './submission-refusals.ts'
import { SubmissionAnswer } from './submission.ts'
import {
  CHUNK_TYPE,
  hasContent,
  readBytes,
  readChecksum,
  readNewUpload,
  requireChunkType,
  requireTusVersion,
  TUS_ALGORITHMS,
  TUS_EXTENSIONS,
  TUS_VERSION,
} from './tus-headers.ts'

/** What is uploaded is not parsed, but read as it arrives: a form, or a file by the tus protocol 1.0. */
export function registerUploadRoutes(app: FastifyInstance, ctx: Uploading): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    register(scope, [uploadEvidence], ctx)
    void scope.register(async (tus) => {
      tus.addHook('onRequest', async (request, reply) => {
        reply.header('tus-resumable', TUS_VERSION)
        if (request.method !== 'OPTIONS' && request.method !== 'GET') requireTusVersion(request.headers)
      })
      register(tus, uploadRoutes, ctx)
    })
  })
}

const access = { scope: 'submit', role: 'member' } as const

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

const uploadEvidence = route('uploadEvidence', 'POST /v1/submissions/:submission_id/evidence', {
  access,
  status: 202,
  summary: 'Upload evidence',
  description:
    'Each `file` part is one file. The upload submits them and starts the checks, unless `final` is `false`. ' +
    'An aborted or rejected upload does not change the submission.',
  once: 'A retry with the same key and the same files within 24 hours returns the first response.',
  body: { schema: FORM },
  returns: SubmissionAnswer,
  codes: [...UPLOAD_CODES, 'multipart_malformed'],
  async send(ctx: SubmissionContext, call, reply) {
    const { request } = call
    const caller = workspaceOf(call.caller)
    const submission = await findSubmission(ctx, call)
    const boundary = boundaryIn(request)
    const once = idempotencyName(request)
    using body = bodyOf(ctx, request)
    const contentLength = lengthOf(request)
    const upload = { submission, caller, body: body.chunks, boundary, contentLength, once }
    const received = await alone(submission.submission_id, async () => {
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

const bodyOf = ({ config, space }: SubmissionContext, { raw }: FastifyRequest) =>
  readBody(raw, { idleMs: config.requestTimeoutSeconds * 1000, space })

function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

const uploading = new Set<SubmissionId>()

/**
 * Allows one upload per submission in this process and rejects a second one before it is read. Between processes, the
 * database decides which upload wins, so a crash leaves no lock behind.
 */
async function alone<T>(id: SubmissionId, upload: () => Promise<T>): Promise<T> {
  if (uploading.has(id)) throw inProgress()
  uploading.add(id)
  try {
    return await upload()
  } finally {
    uploading.delete(id)
  }
}

const inProgress = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload to this submission is in progress. Wait until it finishes.',
    { headers: { 'retry-after': '2' } },
  )

const text = (description: string) => Type.String({ description })
const VERSION = { 'Tus-Resumable': text('`1.0.0`') }
const CHECKSUM = {
  'Upload-Checksum': Type.Optional(text('`sha256 BASE64` of the body. A body that differs is discarded.')),
}
const CHUNK = {
  schema: { content: { [CHUNK_TYPE]: { schema: { type: 'string', format: 'binary' } } } },
}
const TUS_CODES = [
  'upload_invalid',
  'tus_version_unsupported',
  'upload_expired',
  'upload_in_progress',
] as const
const CHUNK_CODES = [
  ...TUS_CODES,
  ...UPLOAD_CODES,
  'upload_offset_wrong',
  'upload_finished',
  'upload_locked',
  'checksum_mismatch',
] as const
const url = '/v1/submissions/:submission_id/uploads'
const one = `${url}/:upload_id` as const

export const uploadRoutes = [
  route('describeUploads', `OPTIONS ${url}`, {
    access: { ...access, isOpen: true },
    async run(ctx: SubmissionContext, call, reply) {
      const { plan } = workspaceOf(call.caller)
      await findSubmission(ctx, call)
      reply.headers({
        'tus-version': TUS_VERSION,
        'tus-extension': TUS_EXTENSIONS,
        'tus-max-size': String(plan.uploadLimitBytes),
        'tus-checksum-algorithm': TUS_ALGORITHMS,
      })
    },
  }),
  route('createUpload', `POST ${url}`, {
    access,
    summary: 'Create a resumable upload',
    description:
      'For large files (tus protocol 1.0). `Location` is the upload; send the content with `PATCH`. A body is accepted here too. ' +
      'Once all bytes have arrived, the file is evidence of the submission. To submit, send `final=true` to `/evidence`.',
    headers: {
      ...VERSION,
      'Upload-Length': text('The size of the file in bytes.'),
      'Upload-Metadata': text(
        '`filename BASE64`, and optionally `resume_key BASE64`: any text that identifies the content, to recognize the upload later. Other members are kept and returned with `HEAD`.',
      ),
      ...CHECKSUM,
    },
    once: 'A retry with the same key within 24 hours creates no second upload.',
    body: CHUNK,
    returns: Upload,
    codes: CHUNK_CODES,
    async send(ctx: Uploading, call, reply) {
      const { request, acting } = call
      const caller = workspaceOf(call.caller)
      const submission = await findSubmission(ctx, call)
      const { submission_id, request_id } = submission
      const asked = readNewUpload(request.headers)
      const hasBody = hasContent(request.headers)
      if (hasBody) requireChunkType(request.headers)
      rejectSubmitted(submission)
      rejectWithoutCredits(submission)
      const once = idempotencyKey(request, [submission_id, { ...asked }])
      const created = await runOnce(ctx.db, ctx.clock, once, async (trx) => {
        await ctx.admit?.(trx, { request_id, names: [asked.name], isFinal: false }, caller)
        const { upload_id } = await createUpload(ctx.units.within(trx, acting), submission, caller, asked)
        return { status: 201, body: upload_id }
      })
      const { body: upload_id, replayed } = created
      const find = (): Promise<UploadRow> => uploadOf(ctx, { ...call, params: { submission_id, upload_id } })
      let row = await find()
      if (!replayed && (hasBody || asked.sizeBytes === 0)) {
        await append(ctx, request, row, caller)
        row = await find()
      }
      if (replayed) reply.header('idempotency-replayed', 'true')
      reply.header('location', `${request.url.split('?', 1)[0]}/${upload_id}`)
      return reply.code(201).headers(stateHeaders(row)).send(Upload.show(row, true))
    },
  }),
  route('listUploads', `GET ${url}`, {
    access: { scope: 'submit', role: 'viewer' },
    summary: 'List unfinished uploads',
    description: 'The resumable uploads of a submission that can be continued, oldest first.',
    returns: UploadList,
    codes: [],
    async read(reader, call, ctx: SubmissionContext) {
      return openUploads(reader, (await findSubmission(ctx, call)).submission_id)
    },
  }),
  route('getUpload', `GET ${one}`, {
    access,
    summary: 'Get a resumable upload',
    description: '`HEAD` returns the headers alone; `Upload-Offset` says where to continue.',
    returns: Upload,
    codes: [
      ...TUS_CODES,
      'upload_too_large',
      'storage_limit_reached',
      'upload_locked',
      'submission_submitted',
    ],
    async run(ctx: Uploading, call, reply) {
      await findSubmission(ctx, call)
      let row = await uploadOf(ctx, call)
      // A client that reads the full offset considers the upload finished, which the request that received the last bytes may have failed to do.
      if (isReceived(row)) {
        await finishAgain(ctx, call, row)
        row = await uploadOf(ctx, call)
      }
      reply.headers(stateHeaders(row))
      return row
    },
  }),
  route('appendToUpload', `PATCH ${one}`, {
    access,
    summary: 'Send the next bytes of an upload',
    description:
      'The body follows the bytes that the service has. Bytes that a response acknowledges are stored durably; of an interrupted ' +
      'request, those that arrived are kept. The last bytes make the file evidence of the submission.',
    headers: {
      ...VERSION,
      'Upload-Offset': text('How many bytes the service has. 409 if it has more or fewer.'),
      ...CHECKSUM,
    },
    body: CHUNK,
    responses: { 204: Type.Null({ description: 'Stored. `Upload-Offset` is the new offset.' }) },
    codes: CHUNK_CODES,
    run: continueUpload,
  }),
  // For clients that can send GET and POST only.
  route('overrideMethod', `POST ${one}`, {
    access,
    async run(ctx: Uploading, call, reply) {
      const method = String(call.request.headers['x-http-method-override']).toUpperCase()
      if (method === 'PATCH') return continueUpload(ctx, call, reply)
      if (method === 'DELETE') return deleteUpload(ctx, call)
      throw new Refusal('method_not_allowed', 'Use PATCH, or POST with X-HTTP-Method-Override: PATCH.', {
        headers: { allow: 'DELETE, GET, HEAD, PATCH' },
      })
    },
  }),
  route('deleteUpload', `DELETE ${one}`, {
    access,
    summary: 'Delete an unfinished upload',
    description: 'Removes the bytes that arrived. A finished upload is evidence and cannot be deleted.',
    headers: VERSION,
    codes: [...TUS_CODES, 'upload_finished', 'upload_locked'],
    run: deleteUpload,
  }),
]

type Uploading = SubmissionContext & Service

interface OfUpload extends OfSubmission {
  readonly params: { readonly submission_id: string; readonly upload_id: string }
  readonly request: FastifyRequest
  readonly acting: Acting
}

/** After `findSubmission`, which says whose it is. */
const uploadOf = ({ units }: Service, { acting, params }: OfUpload): Promise<UploadRow> =>
  units.read(acting, (reader) => findUpload(reader, params.submission_id as SubmissionId, params.upload_id))

/** The rest of the request body, appended to the upload. */
async function append(
  ctx: SubmissionContext,
  request: FastifyRequest,
  upload: UploadRow,
  caller: WorkspaceCaller,
): Promise<void> {
  const checksum = readChecksum(request.headers)
  rejectTooLong(request, upload)
  using body = bodyOf(ctx, request)
  await appendToUpload(ctx, { upload, caller, content: body.chunks, checksum })
}

async function finishAgain(ctx: SubmissionContext, { request, caller }: OfUpload, upload: UploadRow) {
  await using _ = await claimUpload(ctx, upload).catch((error: unknown) => {
    const isInProgress = error instanceof Refusal && error.code === 'upload_in_progress'
    throw request.method === 'HEAD' && isInProgress ? locked(error) : error
  })
  await finishUpload(ctx, upload, workspaceOf(caller))
}

/** Only with this status do tus clients ask again. After any other 4xx they start over. */
const locked = (cause: unknown): Refusal =>
  new Refusal('upload_locked', 'All bytes have arrived and are being stored. Try again in a second.', {
    cause,
    headers: { 'retry-after': '1' },
  })

async function continueUpload(ctx: Uploading, call: OfUpload, reply: FastifyReply): Promise<void> {
  const { request, caller } = call
  const submission = await findSubmission(ctx, call)
  const upload = await uploadOf(ctx, call)
  requireChunkType(request.headers)
  const offset = readBytes(request.headers, 'upload-offset', 'Upload-Offset')
  if (offset !== upload.offset_bytes) throw wrongOffset(upload)
  if (upload.finished_at !== null) {
    rejectTooLong(request, upload)
  } else {
    rejectSubmitted(submission)
    await append(ctx, request, upload, workspaceOf(caller))
  }
  reply.headers(stateHeaders(await uploadOf(ctx, call)))
}

async function deleteUpload(ctx: Uploading, call: OfUpload): Promise<void> {
  await findSubmission(ctx, call)
  const upload = await uploadOf(ctx, call)
  if (upload.finished_at !== null)
    throw new Refusal('upload_finished', 'The upload is finished, and its file is part of the submission.')
  await using _ = await claimUpload(ctx, upload)
  await dropUpload(ctx, upload)
}

/** The state of an upload in the headers of the protocol. */
const stateHeaders = (row: UploadRow): Record<string, string> => ({
  'upload-offset': String(row.offset_bytes),
  'upload-length': String(row.size_bytes),
  'upload-metadata': row.metadata,
  ...(row.finished_at === null ? { 'upload-expires': new Date(row.expires_at).toUTCString() } : {}),
})

function rejectTooLong({ headers }: FastifyRequest, { size_bytes, offset_bytes }: UploadRow): void {
  if (Number(headers['content-length'] ?? 0) > size_bytes - offset_bytes) throw tooLong()
}

const wrongOffset = ({ offset_bytes }: UploadRow): Refusal =>
  new Refusal('upload_offset_wrong', `The upload has ${offset_bytes} bytes. Continue there.`, {
    headers: { 'upload-offset': String(offset_bytes) },
  })
