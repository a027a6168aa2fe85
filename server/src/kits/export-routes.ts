import { parseStrictJson, verifyReceipt } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { errors, OneOf } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { Context } from './context.ts'
import { type ExportContext, EXPORTS, type KitExport } from './export-kit.ts'
import type { KitRecord } from './kit-queries.ts'
import { ownKeys, type OwnKeysContext } from './own-keys.ts'
import { KitParams, NEEDS_KEY, visibleKits, wholeFile } from './kit-routes.ts'

const NOTHING = new Uint8Array()

const Exported = {
  description: 'The export.',
  headers: {
    'Kitseal-Log-Leaf': {
      description: 'For `cose`: the entry of the log that the receipt proves, as `:BASE64:`.',
      schema: { type: 'string' },
    },
    'Kitseal-Erased-At': {
      description: 'When the evidence of the kit was deleted, if it was.',
      schema: { type: 'string' },
    },
  },
  content: {
    'application/json': { schema: { type: 'object', additionalProperties: true } },
    'application/cose': { schema: { type: 'string', format: 'binary' } },
  },
} as const

type Format = keyof typeof EXPORTS
type ExportRoutesContext = ExportContext & OwnKeysContext & Pick<Context, 'db' | 'kits' | 'downloads'>

/** GET /v1/kits/:kit_id/export/:format, for callers who may read the kit. */
export function registerExportRoutes(app: FastifyInstance, ctx: ExportRoutesContext): void {
  const visibleKit = visibleKits(ctx)
  app.get<{ Params: { readonly kit_id: string; readonly format: Format } }>(
    '/v1/kits/:kit_id/export/:format',
    {
      schema: {
        operationId: 'exportKit',
        summary: 'Export a kit in the format of another tool',
        description: `\`cose\` is an RFC 9942 receipt, \`in-toto\` a signed in-toto statement, \`oscal\` OSCAL assessment results. None of them replaces the kit, and there is none while its receipt does not verify. The export of an erased kit says so. ${NEEDS_KEY}`,
        params: Type.Object({
          ...KitParams.properties,
          format: OneOf(Object.keys(EXPORTS) as readonly Format[]),
        }),
        response: { 200: Exported, ...errors(401, 404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const kit = await visibleKit(request, 'kit')
      const { format } = request.params
      if (!Object.hasOwn(EXPORTS, format))
        throw new Refusal('route_not_found', `Unknown format. Formats: ${Object.keys(EXPORTS).join(', ')}.`)
      await rejectUnverified(ctx, kit)
      const { extension, mediaType, make } = EXPORTS[format]
      const fileName = `${kit.kitId}.${extension}`
      // First, because it limits what the public may ask for.
      await ctx.downloads.record(request, wholeFile(kit, fileName, NOTHING))
      const { bytes, leaf }: KitExport = await make(ctx, kit)
      if (leaf !== undefined) reply.header('kitseal-log-leaf', `:${Buffer.from(leaf).toString('base64')}:`)
      if (kit.expired !== undefined) reply.header('kitseal-erased-at', kit.expired.at)
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .type(mediaType)
        .send(Buffer.from(bytes))
    },
  )
}

/** An export vouches for the receipt. The files are checked by whoever has the kit. */
async function rejectUnverified(ctx: OwnKeysContext, { receipt }: KitRecord): Promise<void> {
  const { errors: found } = await verifyReceipt(
    parseStrictJson(receipt),
    undefined,
    await ownKeys(ctx),
    nodeHost,
  )
  const wrong = found.find((error) => !error.startsWith('artifact_missing:'))
  if (wrong !== undefined)
    throw new Refusal('kit_unverified', `The receipt of this kit does not verify now. ${wrong}`)
}
