import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { workspaceOf } from '../http/caller.ts'
import { errors, notModified } from '../http/route-schemas.ts'
import { Refusal } from '../refusals.ts'
import { AnyFile } from '../kits/kit-routes.ts'
import { sendKitFile, sendStoredFile } from '../kits/send-kit-file.ts'
import { fillPeriod } from './period-items.ts'
import { findPeriod, findProgram } from './program-queries.ts'
import type { RequestContext } from './request-context.ts'

type OfFile = { Params: { readonly program_id: string; readonly period: string; readonly '*': string } }

/** Serves the files of a period before it is sealed, so that they can be reviewed, and those of its kit afterwards. */
export function registerPeriodFileRoutes(app: FastifyInstance, ctx: RequestContext): void {
  app.route<OfFile>({
    method: ['GET', 'HEAD'],
    url: '/v1/programs/:program_id/periods/:period/evidence/*',
    exposeHeadRoute: false,
    schema: {
      operationId: 'getPeriodFile',
      summary: 'Download one file of a period',
      description:
        'By its name, such as `CC6.1/review.csv`: the folder is the ID of its item. A slash can be sent as `/` or as `%2F`. ' +
        'Before the period is sealed, the file has not been examined yet, or only for the request that it answers. ' +
        'Supports ranges, `If-None-Match` and HEAD.',
      params: Type.Object({
        program_id: Type.String(),
        period: Type.String({ description: 'Its name, such as `2026-Q4`.' }),
        file_path: Type.String({ description: 'The name of the file, with the folder of its item.' }),
      }),
      response: {
        200: AnyFile,
        206: AnyFile,
        ...notModified,
        ...errors(401, 403, 404, 410, 412, 416, 429, 503),
      },
    },
    handler: async (request, reply) => {
      const { workspaceId } = workspaceOf(request.caller)
      const { program_id: programId, period, '*': name } = request.params
      const program = await findProgram(ctx.db, workspaceId, programId)
      const view = await findPeriod(ctx.db, program.program_id, period)
      const kit =
        view.status === 'sealed' && view.kit_id !== null ? await ctx.kits.find(view.kit_id) : undefined
      if (kit !== undefined) return sendKitFile(request, reply, { kit, path: `data/${name}` }, ctx)
      const { items } = await fillPeriod(ctx.db, view, timestamp(ctx.clock.now()))
      const file = items.flatMap(({ files }) => files).find((each) => each.name === name)
      if (file === undefined)
        throw new Refusal('deliverable_not_found', 'The period has no file with this name.')
      const { sha256, size_bytes: sizeBytes, submission_id: subject } = file
      const entry = { path: name, sha256, sizeBytes, crc32: 0, object: sha256, offset: 0 }
      return sendStoredFile(request, reply, entry, { workspaceId, subject: subject as SubmissionId }, ctx)
    },
  })
}
