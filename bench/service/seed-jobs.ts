import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

/**
 * Adds issued jobs to the database of a stopped service, in one transaction and under its constraints. Their kits have
 * no files.
 */
export function seedJobs(dataFolder: string, count: number): void {
  const sqlite = new BetterSqlite3(join(dataFolder, 'kitseal.sqlite'))
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('cache_size = -200000')
  const kid = sqlite.prepare<[], { kid: string }>('select kid from signing_keys limit 1').get()?.kid
  const job = sqlite.prepare(`insert into jobs
    (job_id, tenant_id, scope_label, status, created_at, updated_at, authenticated, attempts, lease_token)
    values (@job, 'tenant', 'scope', 'SUBMITTED', @at, @at, 0, 1, 1)`)
  const kit = sqlite.prepare(`insert into kits
    (kit_id, job_id, issued_at, receipt_version, manifest_sha256, public_key_kid, downloads, receipt, entries,
      zip_sha256)
    values (@kit, @job, @at, 'FES-1.0-preview', @hash, @kid, '{}', '{}', '[]', @hash)`)
  const pass = sqlite.prepare(`update jobs set status = 'PASS' where job_id = @job`)
  const issued = sqlite.prepare(`update jobs set status = 'ISSUED', kit_id = @kit where job_id = @job`)
  const hash = '0'.repeat(64)
  // The database rejects a kit that is older than its signing key.
  const begin = Date.now()
  sqlite.transaction(() => {
    for (let index = 0; index < count; index++) {
      const row = {
        job: id('job', index),
        kit: id('kit', index),
        at: new Date(begin + index).toISOString(),
        kid,
        hash,
      }
      job.run(row)
      kit.run(row)
      pass.run(row)
      issued.run(row)
    }
  })()
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

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
