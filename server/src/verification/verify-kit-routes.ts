import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { VerificationReport } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { errors } from '../http/route-schemas.ts'
import { ref } from '../http/schemas.ts'
import { Refusal } from '../refusals.ts'
import { readBody } from '../submissions/read-body.ts'
import { kitSemaphore } from './kit-semaphore.ts'
import { receiveUpload, tooLarge } from './receive-upload.ts'
import { verifyUploadedKit } from './verify-uploaded-kit.ts'

/** The largest evidence that a kit holds, 1 GiB, and room for what the kit adds to it. */
const KIT_LIMIT_BYTES = 1024 * 1024 * 1024 + 64 * 1024 * 1024
/** More are taken in than checked, so that those who send slowly keep nobody waiting. */
const [UPLOADS_AT_ONCE, CHECKS_AT_ONCE] = [10, 2]

export interface VerifyKitContext extends Pick<Context, 'signingKeys'> {
  readonly config: Pick<Context['config'], 'dataFolder' | 'requestTimeoutSeconds'>
}

/** POST /v1/verify/kit: a whole kit, from anywhere, against the keys of this service. */
export function registerVerifyKitRoutes(
  app: FastifyInstance,
  ctx: VerifyKitContext,
  limitBytes = KIT_LIMIT_BYTES,
): void {
  const uploads = kitSemaphore(UPLOADS_AT_ONCE, 0)
  const checks = kitSemaphore(CHECKS_AT_ONCE, UPLOADS_AT_ONCE)
  const folder = join(ctx.config.dataFolder, 'uploads')
  const idleMs = ctx.config.requestTimeoutSeconds * 1000

  async function verify(request: IncomingMessage): Promise<VerificationReport> {
    using body = readBody(request, idleMs)
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
    await using upload = await receiveUpload(body.pieces, folder, limitBytes)
    const { body: jwks } = await ctx.signingKeys.published()
    return await checks.run(() => verifyUploadedKit({ ...upload, jwks }))
  }

  app.register(async (scope) => {
    takeOnlyZip(scope)
    scope.post<{ Body: IncomingMessage | undefined }>(
      '/v1/verify/kit',
      {
        bodyLimit: limitBytes,
        config: { rate: 'verify' },
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'verifyKit',
          tags: ['Verification'],
          summary: 'Verify a kit',
          description:
            'Send kit.zip as it was downloaded. Every check runs, against the public keys of this service. ' +
            'What is no kit is FAIL, `kit_unreadable`.',
          body: { content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } },
          response: { 200: ref('VerificationResult'), ...errors(400, 401, 408, 413, 415, 429, 503) },
        },
      },
      ({ body, raw }) => {
        if (body === undefined) throw notZip()
        return uploads.run(() => verify(raw))
      },
    )
  })
}

/** The body stays a stream: it is never in memory as a whole. */
function takeOnlyZip(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/zip', (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() === 'identity') done(null, body)
    else done(new Refusal('media_type_unsupported', 'Send the kit without Content-Encoding.'))
  })
  scope.addContentTypeParser('*', (_request, _body, done) => done(notZip()))
}

function notZip(): Refusal {
  return new Refusal('media_type_unsupported', 'Send the kit as application/zip.')
}
