import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isDeepStrictEqual, promisify } from 'node:util'
import {
  canonicalJson,
  ERROR_CODES,
  type ErrorCode,
  type Host,
  type JsonValue,
  parseStrictJson,
  type VerificationReport,
  verifyReceipt,
} from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { nodeHost } from '@kitseal/kit/node'
import type { Context } from './context.ts'
import type { Caller } from '../http/caller.ts'
import { errors, ref } from '../http/schema-parts.ts'
import { isKitId } from '../runtime/identifiers.ts'
import type { KitRecord } from './kit-queries.ts'
import { Refusal } from '../refusals.ts'
import { publicKits } from '../access/public-kits.ts'
import { kitReader } from './kit-reader.ts'
import { ownKeys, type OwnKeysContext } from './own-keys.ts'

type JsonObject = { readonly [name: string]: JsonValue }

const RECEIPT_LIMIT_BYTES = 64 * 1024

/** POST /v1/verify/receipt (contract 2.5 and 4.1). */
export function registerVerifyRoutes(
  app: FastifyInstance,
  ctx: Pick<Context, 'db' | 'objects' | 'kits'> & OwnKeysContext,
): void {
  const reader = kitReader(ctx.objects)
  const host = pooledHost()
  const shown = publicKits(ctx.db)

  app.post<{ Body: JsonValue }>(
    '/v1/verify/receipt',
    {
      bodyLimit: RECEIPT_LIMIT_BYTES,
      config: { rate: 'verify' },
      // Any JSON object is accepted. One that is not a receipt is FAIL, not an error.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'verifyReceipt',
        summary: 'Verify a receipt',
        description:
          'All checks run: the receipt, its signature and key, and the stored kit, whose files are hashed again. ' +
          'A JSON object that is not a receipt is FAIL with `receipt_malformed`.',
        body: ref('Receipt'),
        response: { 200: ref('VerificationResult'), ...errors(400, 401, 413, 415, 429, 503) },
      },
    },
    (request) => verifyOwn(requireObject(request.body), request.caller),
  )

  async function verifyOwn(receipt: JsonObject, caller: Caller): Promise<VerificationReport> {
    const keys = await ownKeys(ctx)
    const kit = await namedKit(receipt)
    const isShown = kit === undefined || (await shown(kit.workspaceId, caller))
    // Results reveal what a kit contains. For a private kit, only a caller who has its receipt may see them.
    const isKnown = kit !== undefined && (isShown || isReceiptOf(kit, receipt))
    const report = await verifyReceipt(receipt, isKnown ? await reader.examine(kit) : undefined, keys, host)
    return isShown || !isKnown ? report : withoutFileNames(report)
  }

  async function namedKit(receipt: JsonObject): Promise<KitRecord | undefined> {
    const kitId = receipt['kit_id']
    return typeof kitId === 'string' && isKitId(kitId) ? await ctx.kits.find(kitId) : undefined
  }
}

function isReceiptOf(kit: KitRecord, receipt: JsonObject): boolean {
  return canonicalJson(receipt) === canonicalJson(parseStrictJson(kit.receipt))
}

function requireObject(body: JsonValue | undefined): JsonObject {
  if (body === undefined) throw new Refusal('json_malformed', 'The body is empty. Send a receipt.')
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal('body_not_an_object', 'The body is not a JSON object. Send a receipt.')
  }
  return body as JsonObject
}

const MAX_KEYS = 64

/**
 * Node's crypto, with signatures verified in the thread pool and keys of the last receipts ready: a signature, and making
 * its key, each take as long as the rest of a request.
 */
function pooledHost(): Host {
  const keys = new Map<string, KeyObject>()
  const keyOf = (publicKey: Uint8Array): KeyObject => {
    const x = Buffer.from(publicKey).toString('base64url')
    const key = keys.get(x) ?? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    if (keys.size >= MAX_KEYS) keys.clear()
    keys.set(x, key)
    return key
  }
  const verifyInPool = promisify(verify)
  return {
    ...nodeHost,
    verifyEd25519: (publicKey, message, signature) =>
      verifyInPool(null, message, keyOf(publicKey), signature),
  }
}

/** Errors whose text names files of the kit. */
const NAME_FILES: ReadonlySet<string> = new Set<ErrorCode>([
  'kit_unreadable',
  'artifact_missing',
  'artifact_hash_mismatch',
  'artifact_size_mismatch',
  'artifact_unlisted',
  'manifest_malformed',
])

/** For a caller who has the receipt but may not see the manifest: what failed, without the names of files. */
function withoutFileNames(report: VerificationReport): VerificationReport {
  const all = report.errors.map((error, index) => {
    const code = error.split(':', 1)[0] as ErrorCode
    const message = report.error_messages[index] ?? null
    return { code, error, message, why: message ?? error.slice(code.length + 2) }
  })
  const named = all.filter(({ code }) => NAME_FILES.has(code))
  const [first] = named
  if (first === undefined) return report
  const checks = report.checks.map((check) => {
    const { why_message: message, ...rest } = check
    const why = (message?.key === 'reason.andMore' ? message.args?.['reason'] : message) ?? check.why
    const isWhy = (found: { readonly why: unknown }): boolean => isDeepStrictEqual(found.why, why)
    if (check.result !== 'fail' || all.some((found) => !named.includes(found) && isWhy(found))) return check
    return { ...rest, why: ERROR_CODES[(named.find(isWhy) ?? first).code] }
  })
  const shown = all.map(({ code, error, message }) =>
    NAME_FILES.has(code) ? ([`${code}: ${ERROR_CODES[code]}`, null] as const) : ([error, message] as const),
  )
  const distinct = new Map(shown)
  return { ...report, errors: [...distinct.keys()], error_messages: [...distinct.values()], checks }
}
