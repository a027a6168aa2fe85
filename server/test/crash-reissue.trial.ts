// Only in test:all: a re-issue is issued by the steps of crash-points.trial.ts
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { openStore } from '../src/open-store.ts'
import type { Step } from '../src/runtime/steps.ts'
import { checkedClient } from './checked-client.ts'
import { serviceProcess } from './service-process.ts'
import { ownDatabase } from './test-database.ts'
import { ownPlaces } from './test-places.ts'
import { testConfig } from './test-service.ts'
import { clientOf, form, type WorkspaceClient, workspaceClient } from './workspace-client.ts'

/** Before and in each transaction of a worker that re-issues a kit. crash-points.trial.ts has all steps. */
const STEPS = ['kit stored', 'job passing', 'log extending', 'kit issuing'] as const satisfies readonly Step[]

test('killed at each step, a kit is re-issued once, with the same evidence and without a credit', async () => {
  const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
  const killFile = join(data, 'kill-at')
  await using database = await ownDatabase()
  const settings = {
    KITSEAL_DATA: data,
    KITSEAL_LEASE_SECONDS: '2',
    KITSEAL_LOG_LEVEL: 'error',
    ...database.settings,
    ...ownPlaces(),
  }
  const preload = new URL('./die-at-step.ts', import.meta.url).href
  const dying = { ...settings, KILL_FILE: killFile, NODE_OPTIONS: `--import=${preload}` }
  const config = testConfig(settings)
  let service = await serviceProcess(dying)
  const client = await workspaceClient({ dataFolder: data, config, call: checkedClient(service.base) })
  const { workspaceId, key } = client
  const sealed: { readonly id: string; readonly kit: unknown; readonly evidence: readonly unknown[] }[] = []
  for (const step of STEPS) {
    const id = await client.submission()
    await client.upload(id, form({ 'e.zip': zipOf({ 'a.txt': step, 'b/c.txt': 'two' }) }))
    const { kit_id: kit } = await client.ended(id)
    sealed.push({ id, kit, evidence: await evidenceOf(client, id) })
  }
  assert.equal(await service.end('SIGTERM'), 0)
  await using store = await openStore(config)
  const active = (await store.signingKeys.list()).find(({ state }) => state === 'active')
  await store.signingKeys.revoke(active?.kid ?? '')

  // Each service recovers from the step before, and is then killed at the next one.
  service = await serviceProcess(dying)
  const issued = sealed.map(({ kit }) => kit)
  for (const [index, step] of STEPS.entries()) {
    const { id, evidence } = sealed[index]!
    writeFileSync(killFile, step)
    const before = clientOf({ call: checkedClient(service.base) }, workspaceId, key)
    await before.post(`/v1/submissions/${id}/reissue`, {}).catch(() => undefined)
    assert.equal(await service.ended(), 'SIGKILL', `the service reached "${step}"`)
    rmSync(killFile)

    service = await serviceProcess(dying)
    const again = clientOf({ call: checkedClient(service.base) }, workspaceId, key)
    const { replaced_by } = (await again.get(`/v1/submissions/${id}`)).json
    const { submission_id } = replaced_by as { readonly submission_id: string }
    const ended = await again.ended(submission_id)
    assert.deepEqual([ended['status'], ended['credits_charged']], ['PASS', 0])
    assert.deepEqual(await again.credits(), { available: 10 - STEPS.length, held: 0 })
    assert.deepEqual(await evidenceOf(again, submission_id), evidence)
    const kit = (await again.get(`/v1/submissions/${submission_id}/deliverables/kit.zip`)).bytes
    const checked = await again.post('/v1/verify/kit', kit, { 'content-type': 'application/zip' })
    assert.equal(checked.json['verdict'], 'verified')
    issued.push(ended['kit_id'])
    const kits = await store.db.selectFrom('kits').select('kit_id').execute()
    assert.deepEqual(kits.map(({ kit_id }) => kit_id).toSorted(), issued.toSorted())
  }
  assert.equal(await service.end('SIGTERM'), 0)
  rmSync(data, { recursive: true })
})

/** Path and hash of each file in data/. */
async function evidenceOf(client: WorkspaceClient, id: string): Promise<readonly unknown[]> {
  const { artifacts } = (await client.get(`/v1/submissions/${id}/deliverables/manifest.json`)).json as {
    artifacts: readonly { path: string; sha256: string }[]
  }
  return artifacts.filter(({ path }) => path.startsWith('data/'))
}
