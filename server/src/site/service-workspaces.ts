import { sql } from 'kysely'
import type { Db, WorkspacesTable } from '../database/schema.ts'
import { planLimits } from '../settings/plan.ts'
import { PLAN_COLUMNS, planOf, type PlanRow } from '../access/plans.ts'
import type { ConsoleResponse } from './response-schemas.ts'

export type ServiceWorkspace = ConsoleResponse<'ServiceWorkspace'>

const PAGE = 50

/** Workspaces by name or ID, the newest first: IDs begin with the time. */
export async function listServiceWorkspaces(
  db: Db,
  { q = '', cursor }: { readonly q?: string; readonly cursor?: string },
): Promise<ConsoleResponse<'ServiceWorkspaceList'>> {
  const pattern = `%${q.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  let asked = joined(db).where((eb) =>
    eb.or([
      sql<boolean>`lower(workspaces.name) like lower(${pattern}) escape '\\'`,
      eb('workspaces.workspace_id', '=', q.trim() as WorkspacesTable['workspace_id']),
    ]),
  )
  if (cursor !== undefined)
    asked = asked.where('workspaces.workspace_id', '<', cursor as WorkspacesTable['workspace_id'])
  const rows = await asked
    .orderBy('workspaces.workspace_id', 'desc')
    .limit(PAGE + 1)
    .execute()
  const data = rows.slice(0, PAGE).map(describe)
  return { data, next_cursor: rows.length > PAGE ? (data.at(-1)?.workspace_id ?? null) : null }
}

export async function findServiceWorkspace(db: Db, id: string): Promise<ServiceWorkspace | undefined> {
  const row = await joined(db)
    .where('workspaces.workspace_id', '=', id as WorkspacesTable['workspace_id'])
    .executeTakeFirst()
  return row === undefined ? undefined : describe(row)
}

type Row = PlanRow &
  Pick<WorkspacesTable, 'workspace_id' | 'name' | 'named_by' | 'stored_bytes' | 'created_at'> & {
    readonly members: number | string | null
  }

const joined = (db: Db) =>
  db
    .selectFrom('workspaces')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .select([
      'workspaces.workspace_id',
      'workspaces.name',
      'workspaces.named_by',
      'workspaces.stored_bytes',
      'workspaces.created_at',
    ])
    .select(PLAN_COLUMNS)
    .select((eb) =>
      eb
        .selectFrom('members')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .whereRef('members.workspace_id', '=', 'workspaces.workspace_id')
        .where('removed_at', 'is', null)
        .as('members'),
    )

function describe(row: Row): ServiceWorkspace {
  const plan = planOf(row)
  return {
    workspace_id: row.workspace_id,
    name: row.name,
    named_by: row.named_by,
    created_at: row.created_at,
    members: Number(row.members ?? 0),
    stored_bytes: Number(row.stored_bytes),
    plan: { name: plan.name, ...planLimits(plan) },
  }
}
