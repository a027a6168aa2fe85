import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { VerificationReport } from '@kitseal/kit'
import { makeFolder } from '@kitseal/kit/internal/node'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressGroup } from '../http/addresses.ts'
import { readBody } from '../http/read-body.ts'
import { asReturned } from '../http/resource.ts'
import { register, route, type Service } from '../http/route.ts'
import type { Context } from './context.ts'
import { VerificationResult } from './kit-schemas.ts'
import { kitSemaphore, ownKeys, type OwnKeysContext } from './verify-receipt.ts'
import { unverifiable } from './verify-uploaded-kit.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import { Refusal } from '../refusals.ts'
import { WorkerCrashed } from '../runtime/worker-pool.ts'
import { LIMITS } from '../settings/limits.ts'

/** 1 GiB of evidence, and room for the files that the kit adds. */
const KIT_LIMIT_BYTES = 1024 * 1024 * 1024 + 64 * 1024 * 1024

interface VerifyKitContext extends OwnKeysContext, Service, Pick<Context, 'space' | 'verifyUploaded'> {
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

  async function verify({ raw, headers }: FastifyRequest, address: string): Promise<VerificationReport> {
    using body = readBody(raw, { idleMs: ctx.config.requestTimeoutSeconds * 1000, space: ctx.space })
    if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
    await using upload = await receiveUpload(body.chunks, join(ctx.config.dataFolder, 'uploads'), limitBytes)
    const { file, sizeBytes } = upload
    const kit = { file, sizeBytes, keys: await ownKeys(ctx), logVkey: await ctx.transparencyLog.vkey() }
    return await checks.run(() => ctx.verifyUploaded(kit).catch(failIfCrashed), address)
  }

  const verifyKit = route('verifyKit', 'POST /v1/verify/kit', {
    access: { scope: 'none', role: 'anyone' },
    bodyLimit: limitBytes,
    config: { rate: 'verify' },
    summary: 'Verify a kit',
    description:
      'Upload kit.zip unchanged. All checks run with the public keys of this service. ' +
      'A file that is not a kit is FAIL with `kit_unreadable`.',
    body: { schema: { content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } } },
    returns: asReturned<VerificationReport>(VerificationResult),
    codes: [
      'request_timeout',
      'body_too_large',
      'media_type_unsupported',
      'storage_full',
      'object_unavailable',
    ],
    async run(_service, { request }) {
      if (request.body === undefined) throw notZip()
      const address = addressGroup(request.ip)
      return uploads.run(() => verify(request, address), address)
    },
  })
  app.register(async (scope) => {
    acceptOnlyZip(scope)
    register(scope, [verifyKit], ctx)
  })
}

/** A kit that crashes its worker is FAIL. */
function failIfCrashed(error: unknown): Promise<VerificationReport> {
  if (error instanceof WorkerCrashed) return unverifiable(error.reason)
  throw error
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

const notZip = (): Refusal => new Refusal('media_type_unsupported', 'Send the kit as application/zip.')

/** An unlinked temp file: it is deleted when it is closed, even by a crash. */
async function receiveUpload(body: AsyncIterable<Uint8Array>, folder: string, limitBytes: number) {
  await makeFolder(folder)
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx+', 0o600)
  let sizeBytes = 0
  try {
    await unlink(path)
    for await (const chunk of body) {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes)
      await handle.appendFile(chunk)
    }
  } catch (error) {
    await handle.close()
    throw isDiskFull(error) ? noSpace(error) : error
  }
  return { file: handle.fd, sizeBytes, [Symbol.asyncDispose]: () => handle.close() }
}

const tooLarge = (limitBytes: number): Refusal =>
  new Refusal(
    'body_too_large',
    `The kit is larger than ${limitBytes} bytes. Verify it with the command line.`,
  )

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

const noSpace = (cause: unknown): Refusal =>
  new Refusal(
    'store_unavailable',
    'The service has no disk space for the kit. Try again later, or verify it with the command line.',
    { cause, headers: { 'retry-after': '60' } },
  )
