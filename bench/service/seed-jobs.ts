import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

/** Adds waiting jobs of the oldest workspace to the database of a running service. */
export function seedWaitingJobs(dataFolder: string, count: number): void {
  const sqlite = new BetterSqlite3(join(dataFolder, 'kitseal.sqlite'), { timeout: 10_000 })
  const workspace = sqlite
    .prepare<[], string>('select workspace_id from workspaces order by created_at limit 1')
    .pluck()
    .get()
  const job = sqlite.prepare(`insert into jobs
    (job_id, tenant_id, scope_label, status, created_at, updated_at, authenticated, attempts, lease_token, workspace_id)
    values (@job, 'tenant', 'scope', 'SUBMITTED', @at, @at, 1, 0, 0, @workspace)`)
  const at = new Date().toISOString()
  sqlite.transaction(() => {
    for (let index = 0; index < count; index++) job.run({ job: id('job', index), at, workspace })
  })()
  sqlite.close()
}

export function waitingJobs(dataFolder: string): number {
  const sqlite = new BetterSqlite3(join(dataFolder, 'kitseal.sqlite'), { readonly: true })
  const count = sqlite
    .prepare<[], number>("select count(*) from jobs where status = 'SUBMITTED'")
    .pluck()
    .get()
  sqlite.close()
  return count ?? 0
}

/** Spread over the whole index, like random ids. */
function id(prefix: string, index: number): string {
  const spread = (Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0')
  return `${prefix}_${spread}${String(index).padStart(20, '0')}`
}
