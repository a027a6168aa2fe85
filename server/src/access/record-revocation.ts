import type { Db } from '../database/schema.ts'
import { type Mail, mailOff, mailOwners } from '../deliveries/mail.ts'
import type { Revocation } from '../keys/signing-keys.ts'
import { recordEvent } from '../audit/audit-trail.ts'

/** Records a revoked signing key in the audit log of every workspace with kits that it signed, and mails its owners. */
export async function recordRevocation(trx: Db, revocation: Revocation, mail: Mail = mailOff): Promise<void> {
  const { kid, revokedAt, since } = revocation
  const affected = await trx
    .selectFrom('kits')
    .innerJoin('submissions', 'submissions.job_id', 'kits.job_id')
    .select('submissions.workspace_id')
    .select((eb) => eb.fn.countAll<number>().as('kits'))
    .where('kits.public_key_kid', '=', kid)
    .where('submissions.workspace_id', 'is not', null)
    .groupBy('submissions.workspace_id')
    // In order, so that concurrent transactions lock the workspaces in the same order.
    .orderBy('submissions.workspace_id')
    .execute()
  for (const { workspace_id: workspaceId, kits } of affected) {
    if (workspaceId === null) continue
    await recordEvent(trx, {
      workspaceId,
      actor: { is: 'operator' },
      action: 'signing_key.revoked',
      subject: kid,
      details: { kits, ...(since !== undefined && { compromised_since: since }) },
      at: revokedAt,
    })
    const data = {
      kid,
      revoked: revokedAt,
      since: since ?? '',
      kits: `${kits}`,
      link: '/console/submissions',
    }
    await mailOwners(trx, mail, workspaceId, (workspace) => ({
      template: 'key_revocation',
      data: { workspace, ...data },
      dedupe: `key_revocation:${kid}:${workspaceId}`,
    }))
  }
}
