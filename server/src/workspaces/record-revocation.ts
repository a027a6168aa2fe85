import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { recordEvent } from './audit-trail.ts'

/** Records a revoked signing key in the audit log of every workspace with kits that it signed. */
export async function recordRevocation(
  trx: Kysely<Database>,
  {
    kid,
    revokedAt,
    since,
  }: { readonly kid: string; readonly revokedAt: string; readonly since?: string | undefined },
): Promise<void> {
  const affected = await trx
    .selectFrom('kits')
    .innerJoin('jobs', 'jobs.job_id', 'kits.job_id')
    .select('jobs.workspace_id')
    .select((eb) => eb.fn.countAll<number | string>().as('kits'))
    .where('kits.public_key_kid', '=', kid)
    .where('jobs.workspace_id', 'is not', null)
    .groupBy('jobs.workspace_id')
    // In order, so that concurrent transactions lock the workspaces in the same order.
    .orderBy('jobs.workspace_id')
    .execute()
  for (const { workspace_id, kits } of affected)
    if (workspace_id !== null)
      await recordEvent(trx, {
        workspaceId: workspace_id,
        actor: { is: 'operator' },
        action: 'signing_key.revoked',
        subject: kid,
        details: { kits: Number(kits), ...(since === undefined ? {} : { compromised_since: since }) },
        at: revokedAt,
      })
}
