// docs/decisions/0154
import {
  canonicalJson,
  type JsonValue,
  verifyReceipt,
  parseStrictJson,
  type VerificationReport,
} from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { Caller } from '../http/caller.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { isKitId } from '../runtime/identifiers.ts'
import type { KitRecord } from './kit-queries.ts'
import { Refusal } from '../refusals.ts'
import { publicKits } from '../access/public-kits.ts'
import { kitReader } from './kit-reader.ts'
import { type OwnKeysContext, ownKeys } from './own-keys.ts'
import { pooledHost } from './pooled-host.ts'
import { withoutFileNames } from './without-file-names.ts'

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
        tags: ['Verification'],
        summary: 'Verify a receipt',
        description:
          'All checks run: the receipt, its signature and key, and the stored kit, whose files are hashed again. ' +
          'A JSON object that is not a receipt is FAIL with `receipt_malformed`.',
        body: ref('Receipt'),
        response: { 200: ref('VerificationResult'), ...errors(400, 401, 413, 415, 429, 503) },
      },
    },
    (request) => verify(requireObject(request.body), request.caller),
  )

  async function verify(receipt: JsonObject, caller: Caller): Promise<VerificationReport> {
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
