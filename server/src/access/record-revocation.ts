import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { type Mail, mailOff, readersOf } from '../deliveries/mail.ts'
import type { Revocation } from '../keys/signing-keys.ts'
import { recordEvent } from '../audit/audit-trail.ts'

/** Records a revoked signing key in the audit log of every workspace with kits that it signed, and mails its owners. */
export async function recordRevocation(trx: Db, revocation: Revocation, mail: Mail = mailOff): Promise<void> {
  const { kid, revokedAt, since } = revocation
  const affected = await trx
    .selectFrom('kits')
    .innerJoin('submissions', 'submissions.job_id', 'kits.job_id')
    .select('submissions.workspace_id')
    .select((eb) => eb.fn.countAll<number | string>().as('kits'))
    .where('kits.public_key_kid', '=', kid)
    .where('submissions.workspace_id', 'is not', null)
    .groupBy('submissions.workspace_id')
    // In order, so that concurrent transactions lock the workspaces in the same order.
    .orderBy('submissions.workspace_id')
    .execute()
  for (const { workspace_id, kits } of affected)
    if (workspace_id !== null) {
      await recordEvent(trx, {
        workspaceId: workspace_id,
        actor: { is: 'operator' },
        action: 'signing_key.revoked',
        subject: kid,
        details: { kits: Number(kits), ...(since === undefined ? {} : { compromised_since: since }) },
        at: revokedAt,
      })
      await mailOwners(trx, mail, workspace_id, Number(kits), revocation)
    }
}

async function mailOwners(
  trx: Db,
  mail: Mail,
  workspaceId: WorkspaceId,
  kits: number,
  { kid, revokedAt, since }: Revocation,
): Promise<void> {
  if (!mail.isOn) return
  const { workspace, owners } = await readersOf(trx, workspaceId)
  const data = {
    workspace,
    kid,
    revoked: revokedAt,
    since: since ?? '',
    kits: `${kits}`,
    link: '/console/submissions',
  }
  for (const to of owners)
    await mail.send(trx, {
      to,
      workspaceId,
      template: 'key_revocation',
      data,
      dedupe: `key_revocation:${kid}:${workspaceId}:${to}`,
    })
}
