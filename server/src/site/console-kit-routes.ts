import { BOUNDARY, compareKits, type Receipt } from '@kitseal/kit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SubmissionsTable } from '../database/schema.ts'
import { isKitId } from '../runtime/identifiers.ts'
import { kindOf } from '../kits/file-kind.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { kitZip } from '../kits/kit-zip.ts'
import { sealedOrigin } from '../kits/sealed-origin.ts'
import { sendKitFile } from '../kits/send-kit-file.ts'
import { Refusal } from '../refusals.ts'
import { CompareQuery } from './console-schemas.ts'
import type { ConsoleServices } from './console-services.ts'
import { kitLog } from './kit-log.ts'
import { sessionOf } from './guard.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'

interface OwnKit {
  readonly kit: KitRecord
  readonly submission: Pick<SubmissionsTable, 'submission_id' | 'label'>
}

/** The contents of a kit, and the comparison of two kits. */
export function registerConsoleKitRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, objects, kits, transparencyLog } = services
  /** A kit of another workspace is reported as not found. */
  const own = async (request: FastifyRequest, kitId: unknown): Promise<OwnKit> => {
    const kit = typeof kitId === 'string' && isKitId(kitId) ? await kits.find(kitId) : undefined
    if (kit === undefined || kit.workspaceId !== sessionOf(request).workspaceId) throw kitNotFound()
    const submission = await db
      .selectFrom('submissions')
      .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
      .select(['submissions.submission_id', 'submissions.label'])
      .where('jobs.kit_id', '=', kit.kitId)
      .executeTakeFirst()
    if (submission === undefined) throw kitNotFound()
    return { kit, submission }
  }

  scope.get<{ Params: { readonly kit_id: string } }>(
    '/kits/:kit_id',
    { schema: returns('KitDetail') },
    async (request): Promise<ConsoleResponse<'KitDetail'>> => {
      const { kit, submission } = await own(request, request.params.kit_id)
      const receipt = JSON.parse(kit.receipt) as Receipt
      return {
        ...heading({ kit, submission }),
        kid: receipt.public_key_kid,
        ...(await sealedOrigin(objects, kit)),
        manifest_sha256: receipt.manifest_sha256,
        manifest_root_hash: receipt.manifest_root_hash,
        canonical_receipt_sha256: receipt.canonical_receipt_sha256,
        size_bytes: kitZip(kit, objects).sizeBytes,
        sha256: kit.zipSha256,
        files: kit.entries.map(({ path, sha256, sizeBytes }) => {
          return { path, sha256, size_bytes: sizeBytes, kind: kindOf(path) }
        }),
        log: await kitLog(services, kit.kitId),
        boundary: BOUNDARY,
      }
    },
  )

  scope.get<{ Params: { readonly kit_id: string } }>(
    '/kits/:kit_id/log-proof',
    async (request, reply): Promise<FastifyReply> => {
      const { kit } = await own(request, request.params.kit_id)
      const proof = await transparencyLog.proofOf(kit.kitId)
      if (proof === undefined) throw kitNotFound()
      return reply
        .headers({
          'cache-control': 'no-cache',
          'content-disposition': `attachment; filename="${kit.kitId}.tlog-proof"`,
        })
        .type('text/plain; charset=utf-8')
        .send(Buffer.from(proof))
    },
  )

  scope.get<{ Params: { readonly kit_id: string; readonly '*': string } }>(
    '/kits/:kit_id/files/*',
    async (request, reply): Promise<FastifyReply> => {
      const { kit } = await own(request, request.params.kit_id)
      return sendKitFile(request, reply, { kit, path: request.params['*'] }, services)
    },
  )

  scope.get<{ Querystring: CompareQuery }>(
    '/compare',
    { schema: { querystring: CompareQuery, ...returns('Comparison') } },
    async (request): Promise<ConsoleResponse<'Comparison'>> => {
      const { from, to, any_scope } = request.query
      const [older, newer] = [await own(request, from), await own(request, to)]
      const sameScope = older.submission.label === newer.submission.label
      if (!sameScope && any_scope !== 'true')
        throw new Refusal(
          'scopes_differ',
          'The kits have different labels. Set any_scope=true to compare them anyway.',
        )
      return {
        from: heading(older),
        to: heading(newer),
        same_scope: sameScope,
        ...compareKits(manifestOf(older), manifestOf(newer)),
      }
    },
  )
}

const manifestOf = ({ kit }: OwnKit) => ({
  artifacts: kit.entries.map(({ path, sha256, sizeBytes }) => ({ path, sha256, size_bytes: sizeBytes })),
})

const heading = ({ kit, submission }: OwnKit) => ({
  kit_id: kit.kitId,
  submission_id: submission.submission_id,
  label: submission.label,
  issued_at: kit.issuedAt,
})

const kitNotFound = (): Refusal => new Refusal('kit_not_found', 'Kit not found in this workspace.')
