import type { FastifyInstance } from 'fastify'
import { workspaceOf } from '../http/caller.ts'
import { listResponse } from '../http/page-query.ts'
import { errors, ref } from '../http/schema-parts.ts'
import type { SubmissionContext } from './submission-context.ts'
import type { RevocationList } from './summary-schemas.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { replacements } from './submission-queries.ts'

/** GET /v1/revocations. */
export function registerRevocationRoutes(app: FastifyInstance, { db }: Pick<SubmissionContext, 'db'>): void {
  app.route({
    method: 'GET',
    url: '/v1/revocations',
    schema: {
      operationId: 'getRevocations',
      summary: 'Get kits whose signing key was revoked',
      description: 'They no longer verify. Re-issue each submission.',
      response: { 200: ref('RevocationList'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<RevocationList> =>
      listResponse(await revocations(db, workspaceOf(request.caller).workspaceId)),
  })
}

/** The most submissions that one response lists. The client asks again once these are re-issued. */
const MAX_LISTED = 500

/** Revoked keys with the kits of a workspace that they signed, and that are not re-issued yet. */
async function revocations(db: Db, workspaceId: WorkspaceId): Promise<RevocationList['data']> {
  const revoked = await db
    .selectFrom('signing_keys')
    .select(['kid', 'revoked_at', 'compromised_since'])
    .where('state', '=', 'revoked')
    .orderBy('revoked_at', 'desc')
    .execute()
  const keys: RevocationList['data'] = []
  for (const { kid, revoked_at, compromised_since } of revoked) {
    const found = await notReissued(db, workspaceId, kid)
    if (found.length > 0 && revoked_at !== null)
      keys.push({
        kid,
        revoked_at,
        compromised_since,
        kits: found.length,
        submissions: found.slice(0, MAX_LISTED),
      })
  }
  return keys
}

async function notReissued(db: Db, workspaceId: WorkspaceId, kid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .innerJoin('kits', 'kits.kit_id', 'submissions.kit_id')
    .where('submissions.sequence', 'is not', null)
    .select('submissions.submission_id')
    .where('submissions.workspace_id', '=', workspaceId)
    .where('submissions.status', '=', 'ISSUED')
    .where('kits.public_key_kid', '=', kid)
    .where((eb) => eb.not(eb.exists(replacements(eb).select('successor.submission_id'))))
    .orderBy('submissions.sequence')
    .execute()
  return rows.map(({ submission_id }) => submission_id)
}
