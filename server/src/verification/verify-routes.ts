// docs/decisions/0154
import {
  canonicalJson,
  type JsonValue,
  verifyReceipt,
  parseStrictJson,
  type VerificationReport,
} from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { errors } from '../http/route-schemas.ts'
import { ref } from '../http/schemas.ts'
import { isKitId } from '../identifiers.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { Refusal } from '../refusals.ts'
import { publicKits } from '../workspaces/public-kits.ts'
import { kitReadings } from './kit-readings.ts'
import { pooledHost } from './pooled-host.ts'

type JsonObject = { readonly [name: string]: JsonValue }

const RECEIPT_LIMIT_BYTES = 64 * 1024

/** POST /v1/verify/receipt (contract 2.5 and 4.1). */
export function registerVerifyRoutes(
  app: FastifyInstance,
  ctx: Pick<Context, 'db' | 'objects' | 'kits' | 'signingKeys'>,
): void {
  const readings = kitReadings(ctx.objects)
  const host = pooledHost()
  const shown = publicKits(ctx.db)

  app.post<{ Body: JsonValue }>(
    '/v1/verify/receipt',
    {
      bodyLimit: RECEIPT_LIMIT_BYTES,
      config: { rate: 'verify' },
      // Any JSON object is judged: one that is no receipt is a result, FAIL, and not an error.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'verifyReceipt',
        tags: ['Verification'],
        summary: 'Verify a receipt',
        description:
          'Every check runs: the receipt, its signature and key, and the kit, whose files are read and hashed again. ' +
          'Any JSON object is judged; one that is no receipt is FAIL, `receipt_malformed`.',
        body: ref('Receipt'),
        response: { 200: ref('VerificationResult'), ...errors(400, 401, 413, 415, 429, 503) },
      },
    },
    (request) => verify(anObject(request.body), request.caller),
  )

  async function verify(receipt: JsonObject, caller: Caller): Promise<VerificationReport> {
    const keys = await ctx.signingKeys.publicKeys()
    const kit = await namedKit(receipt, caller)
    const examined = kit === undefined ? undefined : await readings.examine(kit)
    return verifyReceipt(receipt, examined, keys, host)
  }

  async function namedKit(receipt: JsonObject, caller: Caller): Promise<KitRecord | undefined> {
    const kitId = receipt['kit_id']
    const kit = typeof kitId === 'string' && isKitId(kitId) ? await ctx.kits.find(kitId) : undefined
    if (kit === undefined) return undefined
    return (await shown(kit.workspaceId, caller)) || isItsOwn(kit, receipt) ? kit : undefined
  }
}

/** Findings tell what a kit holds. Of one that is not shown, only who has its receipt already may hear them. */
function isItsOwn(kit: KitRecord, receipt: JsonObject): boolean {
  return canonicalJson(receipt) === canonicalJson(parseStrictJson(kit.receipt))
}

function anObject(body: JsonValue | undefined): JsonObject {
  if (body === undefined) throw new Refusal('json_malformed', 'The body is empty; send a receipt.')
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal('body_not_an_object', 'The body is not a JSON object; send a receipt.')
  }
  return body as JsonObject
}
