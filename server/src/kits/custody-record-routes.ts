import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { workspaceOf } from '../http/caller.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { Closed } from '../http/schema-parts.ts'
import { OneOf } from '../http/text-schemas.ts'
import { isKitId } from '../runtime/identifiers.ts'
import { binders } from './binder-file.ts'
import type { Context } from './context.ts'
import { type Custody, type CustodyContext, custodyOf } from './custody-record.ts'
import type { KitRecord } from './kit-queries.ts'
import { kitNotFound } from './kit-routes.ts'
import { sealedOrigin } from './sealed-origin.ts'

const KitParams = Type.Object({ kit_id: Type.String() })
type OfKit = { Params: { readonly kit_id: string } }

const PdfQuery = Closed({
  certification: Type.Optional(
    OneOf(
      ['draft'],
      'Adds a draft certification in the form of FRE 902(13) and (14), to be completed and signed.',
    ),
  ),
})

const Pdf = {
  description: 'The custody record.',
  content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
} as const

const DESCRIPTION =
  'Every event of the kit in the audit log of its workspace: uploaded, sealed, shared, downloaded, held and erased, with the hashes of ' +
  'the events, the head of the audit log and its proof.'

type CustodyRoutesContext = CustodyContext & Pick<Context, 'kits' | 'objects'>

/** GET /v1/kits/:kit_id/custody.json and custody.pdf, for the workspace of the kit. */
export function registerCustodyRecordRoutes(app: FastifyInstance, ctx: CustodyRoutesContext): void {
  const found = async (request: FastifyRequest<OfKit>): Promise<Custody & { readonly kit: KitRecord }> => {
    const { workspaceId } = workspaceOf(request.caller)
    const { kit_id } = request.params
    const kit = isKitId(kit_id) ? await ctx.kits.find(kit_id) : undefined
    if (kit?.workspaceId !== workspaceId) throw kitNotFound()
    return { kit, ...(await custodyOf(ctx, kit, workspaceId)) }
  }

  app.route<OfKit>({
    method: 'GET',
    url: '/v1/kits/:kit_id/custody.json',
    schema: {
      operationId: 'getCustodyRecord',
      summary: 'Get the custody record of a kit',
      description: `${DESCRIPTION} \`kitseal audit verify --custody\` compares it with an export of the audit log.`,
      tags: ['Workspace'],
      params: KitParams,
      response: { 200: ref('CustodyRecord'), ...errors(401, 403, 404, 429, 503) },
    },
    handler: async (request) => (await found(request)).record,
  })

  app.route<OfKit & { Querystring: Static<typeof PdfQuery> }>({
    method: 'GET',
    url: '/v1/kits/:kit_id/custody.pdf',
    schema: {
      operationId: 'getCustodyPdf',
      summary: 'Get the custody record of a kit as PDF',
      description: DESCRIPTION,
      tags: ['Workspace'],
      params: KitParams,
      querystring: PdfQuery,
      response: { 200: Pdf, ...errors(400, 401, 403, 404, 429, 503) },
    },
    handler: async (request, reply) => {
      const { kit, record, events } = await found(request)
      const { supplier } = await sealedOrigin(ctx.objects, kit)
      const bytes = await binders.custody({
        record,
        events,
        name: (JSON.parse(kit.receipt) as { readonly scope: string }).scope,
        supplier: supplier?.name ?? null,
        files: kit.entries.filter(({ path }) => path.startsWith('data/')).length,
        certification: request.query.certification !== undefined,
      })
      const file = `custody-${record.kit_id}.pdf`
      return reply
        .type('application/pdf')
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${file}"`)
        .send(Buffer.from(bytes))
    },
  })
}
