import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * `visibility` of a workspace, in place of `public_kits`, which was 0 or 1, and 1 by default. What was set explicitly stays:
 * 0 becomes `none`, and 1 becomes `all` if the audit log shows that an operator set it, or that it was 0 before. The console
 * sent the setting with every change of the name, so the event alone does not show a choice. The rest becomes `receipts`.
 *
 * `public_kits` stays for nodes of the previous release that run during an upgrade.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('workspaces')
    .addColumn('visibility', 'text', (c) => c.notNull().defaultTo('receipts'))
    .execute()
  await sql`update workspaces set visibility = 'none' where public_kits = 0`.execute(db)
  await sql`update workspaces set visibility = 'all' where public_kits <> 0 and exists
    (select 1 from audit_events where audit_events.workspace_id = workspaces.workspace_id
      and audit_events.action = 'workspace.changed'
      and (audit_events.details like '%"public_kits":false%'
        or (audit_events.actor = 'operator' and audit_events.details like '%"public_kits":true%')))`.execute(
    db,
  )
  for (const event of ['insert', 'update'] as const)
    await dialect.createGuard(db, {
      name: `workspaces_visibility_${event}`,
      on: 'workspaces',
      event,
      when: `new.visibility not in ('receipts', 'all', 'none')`,
      message: 'the visibility is receipts, all or none',
    })
}
