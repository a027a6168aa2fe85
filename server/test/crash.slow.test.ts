import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../src/index.ts'
import { type CheckedFetch, checkedClient } from '../../test/kit/http.ts'
import { serviceProcess } from '../../test/kit/service-process.ts'
import { ownDatabase } from '../../test/kit/databases.ts'
import { ownPlaces } from '../../test/kit/service.ts'
import { testConfig } from '../../test/kit/service.ts'
import { pauseAfter, until } from '../../test/kit/until.ts'

const KILLS = Number(process.env['KITSEAL_KILLS'] ?? 3)
const CLIENTS = 4

test(
  'after kills at random moments under load, every acknowledged job ends exactly once, and every kit verifies',
  { timeout: 240_000 },
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
    await using database = await ownDatabase()
    const settings = {
      ...ownPlaces(),
      ...database.settings,
      KITSEAL_DATA: data,
      KITSEAL_LOG_LEVEL: 'error',
      KITSEAL_ISSUER: 'https://kits.example',
      KITSEAL_OPEN_INTAKE: 'on',
    }
    const acknowledged = new Map<string, string>()
    for (let round = 0; round < KILLS; round += 1) {
      const service = await serviceProcess(settings)
      const load = Array.from({ length: CLIENTS }, (_, client) =>
        submitUntilCut(service.base, `${round}-${client}`, acknowledged),
      )
      const enough = acknowledged.size + 2 + Math.floor(Math.random() * 60)
      await until(() => acknowledged.size >= enough)
      assert.equal(await service.end('SIGKILL'), 'SIGKILL')
      await Promise.all(load)
    }

    const service = await serviceProcess(settings)
    const call = checkedClient(service.base)
    const kits = new Set<string>()
    for (const [jobId, label] of acknowledged) {
      const job = await finalJob(call, jobId)
      assert.equal(job['scope_label'], label)
      assert.equal(job['status'], 'ISSUED', JSON.stringify(job))
      kits.add(String(job['kit_id']))
    }
    assert.ok(acknowledged.size > KILLS, `${acknowledged.size} jobs were acknowledged`)
    assert.equal(kits.size, acknowledged.size, 'no kit belongs to two jobs')
    for (const kitId of kits) {
      const receipt = (await call(`/v1/kits/${kitId}/receipt`)).bytes
      const headers = { 'content-type': 'application/json' }
      const result = await call('/v1/verify/receipt', { method: 'POST', headers, body: receipt })
      assert.equal(result.json['status'], 'PASS', JSON.stringify(result.json))
    }
    assert.equal(await service.end('SIGTERM'), 0)

    await using store = await openStore(testConfig(settings))
    const { db } = store
    const jobs = await db.selectFrom('jobs').select(['job_id', 'status', 'kit_id', 'lease_owner']).execute()
    const rows = await db.selectFrom('kits').select(['kit_id', 'job_id']).execute()
    assert.deepEqual(
      jobs.filter((job) => job.status !== 'ISSUED' || job.lease_owner !== null),
      [],
    )
    assert.equal(rows.length, jobs.length, 'one kit per job, including jobs whose response was lost')
    const temporary = globSync('objects/**/*tmp*/*', { cwd: data }).filter((file) =>
      existsSync(join(data, file)),
    )
    assert.deepEqual(temporary, [], 'temporary files are removed')
    rmSync(data, { recursive: true })
  },
)

/** Creates jobs one after the other until the service is killed. */
async function submitUntilCut(base: string, name: string, acknowledged: Map<string, string>): Promise<void> {
  for (let count = 0; ; count += 1) {
    const scope_label = `${name}-${count}`
    try {
      const response = await fetch(`${base}/v1/intake/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ tenant_id: 'acme', scope_label }),
      })
      const job = (await response.json()) as { job_id: string }
      assert.equal(response.status, 202)
      acknowledged.set(job.job_id, scope_label)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

async function finalJob(call: CheckedFetch, jobId: string): Promise<Readonly<Record<string, unknown>>> {
  for (let looks = 0; ; looks++) {
    const { json, status } = await call(`/v1/intake/jobs/${jobId}`)
    assert.equal(status, 200, `${jobId} was acknowledged and is gone`)
    if (json['status'] === 'ISSUED' || json['status'] === 'FAIL') return json
    await pauseAfter(looks)
  }
}
