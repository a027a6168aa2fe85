import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { VerificationReport } from '@kitseal/kit'
import { makeFolder } from '@kitseal/kit/internal/node'
import type { FastifyInstance } from 'fastify'
import { addressGroup } from '../http/addresses.ts'
import { readBody } from '../http/read-body.ts'
import { asReturned } from '../http/resource.ts'
import { register, route, type Service } from '../http/route.ts'
import type { Context } from './context.ts'
import { VerificationResult } from './kit-schemas.ts'
import { kitSemaphore, ownKeys, type OwnKeysContext } from './verify-receipt.ts'
import { type KitToVerify, unverifiable } from './verify-uploaded-kit.ts'
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
    async run(_service, { request: { body, raw, ip } }) {
      if (body === undefined) throw notZip()
      const address = addressGroup(ip)
      return uploads.run(() => verify(raw, address), address)
    },
  })
  app.register(async (scope) => {
    acceptOnlyZip(scope)
    register(scope, [verifyKit], ctx)
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

/** Two buffers: one is filled while the other is written. */
const BUFFER_BYTES = 1024 * 1024

/** An unlinked temp file: it is deleted when it is closed, even by a crash. */
async function receiveUpload(body: AsyncIterable<Uint8Array>, folder: string, limitBytes: number) {
  const handle = await openUnlinked(folder)
  try {
    const sizeBytes = await writeAll(handle, body, limitBytes)
    return { file: handle.fd, sizeBytes, [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw asRefusal(error)
  }
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  await makeFolder(folder)
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

async function writeAll(file: FileHandle, body: AsyncIterable<Uint8Array>, limitBytes: number) {
  let [filling, spare] = [Buffer.allocUnsafeSlow(BUFFER_BYTES), Buffer.allocUnsafeSlow(BUFFER_BYTES)]
  let filled = 0
  let sizeBytes = 0
  let writing: Promise<void> = Promise.resolve()

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
  }

  async function flush(): Promise<void> {
    await writing
    writing = write(filling.subarray(0, filled))
    // Awaited before the next write; until then, an error is not unhandled.
    writing.catch(() => {})
    ;[filling, spare, filled] = [spare, filling, 0]
  }

  try {
    for await (const chunk of body) {
      if (sizeBytes + chunk.length > limitBytes) throw tooLarge(limitBytes)
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + BUFFER_BYTES - filled)
        filling.set(part, filled)
        filled += part.length
        sizeBytes += part.length
        at += part.length
        if (filled === BUFFER_BYTES) await flush()
      }
    }
    await flush()
  } finally {
    await writing
  }
  return sizeBytes
}

const tooLarge = (limitBytes: number): Refusal =>
  new Refusal(
    'body_too_large',
    `The kit is larger than ${limitBytes} bytes. Verify it with the command line.`,
  )

function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Refusal(
      'store_unavailable',
      'The service has no disk space for the kit. Try again later, or verify it with the command line.',
      {
        cause: error,
        headers: { 'retry-after': '60' },
      },
    )
  }
  return error
}
