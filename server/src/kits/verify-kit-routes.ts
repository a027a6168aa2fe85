import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { VerificationReport } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { errors, ref } from '../http/schema-parts.ts'
import type { FreeSpace } from '../objects/free-space.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import { Refusal } from '../refusals.ts'
import { LIMITS } from '../settings/limits.ts'
import { addressGroup } from '../http/addresses.ts'
import { readBody } from '../http/read-body.ts'
import { kitSemaphore } from './kit-semaphore.ts'
import { type OwnKeysContext, ownKeys } from './own-keys.ts'
import { receiveUpload, tooLarge } from './receive-upload.ts'
import { type KitToVerify, unverifiable } from './verify-uploaded-kit.ts'
import { WorkerCrashed } from '../runtime/worker-pool.ts'

/** 1 GiB of evidence, and room for the files that the kit adds. */
const KIT_LIMIT_BYTES = 1024 * 1024 * 1024 + 64 * 1024 * 1024
export interface VerifyKitContext extends OwnKeysContext {
  readonly space: FreeSpace
  /** Runs `verifyUploadedKit` in a worker. */
  readonly verifyUploaded: (kit: KitToVerify) => Promise<VerificationReport>
  readonly transparencyLog: Pick<TransparencyLog, 'vkey'>
  readonly config: Pick<Context['config'], 'dataFolder' | 'requestTimeoutSeconds' | 'issuer'>
}

/** POST /v1/verify/kit verifies an uploaded kit with the keys of this service. */
export function registerVerifyKitRoutes(
  app: FastifyInstance,
  ctx: VerifyKitContext,
  limitBytes = KIT_LIMIT_BYTES,
): void {
  // More uploads than checks, so that slow clients do not block the checks.
  const uploads = kitSemaphore(LIMITS.kitUploads.value, 0)
  const checks = kitSemaphore(LIMITS.kitChecks.value, LIMITS.kitUploads.value)
  const folder = join(ctx.config.dataFolder, 'uploads')
  const idleMs = ctx.config.requestTimeoutSeconds * 1000

  async function verify(request: IncomingMessage, address: string): Promise<VerificationReport> {
    using body = readBody(request, { idleMs, space: ctx.space })
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
    await using upload = await receiveUpload(body.chunks, folder, limitBytes)
    const { file, sizeBytes } = upload
    const kit = { file, sizeBytes, keys: await ownKeys(ctx), logVkey: await ctx.transparencyLog.vkey() }
    return await checks.run(() => verifyInWorker(kit), address)
  }

  /** A kit that crashes its worker is FAIL. */
  const verifyInWorker = (kit: KitToVerify): Promise<VerificationReport> =>
    ctx.verifyUploaded(kit).catch((error: unknown) => {
      if (error instanceof WorkerCrashed) return unverifiable(error.reason)
      throw error
    })

  app.register(async (scope) => {
    acceptOnlyZip(scope)
    scope.post<{ Body: IncomingMessage | undefined }>(
      '/v1/verify/kit',
      {
        bodyLimit: limitBytes,
        config: { rate: 'verify' },
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'verifyKit',
          summary: 'Verify a kit',
          description:
            'Upload kit.zip unchanged. All checks run with the public keys of this service. ' +
            'A file that is not a kit is FAIL with `kit_unreadable`.',
          body: { content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } },
          response: { 200: ref('VerificationResult'), ...errors(400, 401, 408, 413, 415, 429, 503, 507) },
        },
      },
      ({ body, raw, ip }) => {
        if (body === undefined) throw notZip()
        const address = addressGroup(ip)
        return uploads.run(() => verify(raw, address), address)
      },
    )
  })
}

/** Leaves the body as a stream. */
function acceptOnlyZip(scope: FastifyInstance): void {
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
