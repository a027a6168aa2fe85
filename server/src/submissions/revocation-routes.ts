import { type Static, Type } from 'typebox'
import type { Db } from '../database/schema.ts'
import { ListOf, listResponse } from '../http/page-query.ts'
import { answer } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Count, DateTime, NullableTime } from '../http/schema-parts.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { replacements } from './submission-queries.ts'

const Revoked = Type.Object({
  kid: Type.String(),
  revoked_at: DateTime(),
  compromised_since: NullableTime(),
  kits: Count('Kits that are not re-issued yet.'),
  submissions: Type.Array(Type.String(), { description: 'Their submissions, oldest first, at most 500.' }),
})
type Revoked = Static<typeof Revoked>

export const revocationRoutes = [
  route('getRevocations', 'GET /v1/revocations', {
    access: { scope: 'read', role: 'viewer' },
    summary: 'Get kits whose signing key was revoked',
    description: 'They no longer verify. Re-issue each submission.',
    returns: answer(
      'RevocationList',
      'Revoked signing keys with kits of the workspace that are not re-issued yet.',
      ListOf(Revoked),
      (revoked: readonly Revoked[]) => listResponse(revoked),
    ),
    read: ({ db, workspaceId }) => revocations(db, workspaceId),
  }),
]

/** The most submissions that one response lists. The client asks again once these are re-issued. */
const MAX_LISTED = 500

/** Revoked keys with the kits of a workspace that they signed, and that are not re-issued yet. */
async function revocations(db: Db, workspaceId: WorkspaceId): Promise<readonly Revoked[]> {
  const revoked = await db
    .selectFrom('signing_keys')
    .select(['kid', 'revoked_at', 'compromised_since'])
    .where('state', '=', 'revoked')
    .orderBy('revoked_at', 'desc')
    .execute()
  const keys: Revoked[] = []
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
