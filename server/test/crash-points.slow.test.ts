import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Config } from '../src/settings/config.ts'
import { openStore, type Store } from '../src/open-store.ts'
import { type Step, STEPS } from '../src/runtime/steps.ts'
import { scrubObjects } from '../src/maintenance/scrub-objects.ts'
import { checkedClient } from '../../test/kit/http.ts'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { ownDatabase, type TestDatabase } from '../../test/kit/databases.ts'
import { ownPlaces } from '../../test/kit/service.ts'
import { testConfig } from '../../test/kit/service.ts'
import { type ServiceProcess, serviceProcess } from '../../test/kit/service-process.ts'
import { clientOf, form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'

/** Steps that only evidence with a blocker reaches. */
const FAIL_STEPS = new Set<Step>(['job failing', 'job failed'])
/** The upload is acknowledged after this step. A crash before it leaves the submission unchanged. */
const ACCEPTED = STEPS.indexOf('upload accepted')

// Each service recovers from the step before, and is then killed at the next one.
const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
const killFile = join(data, 'kill-at')
let database: TestDatabase
let settings: Readonly<Record<string, string>>
let service: ServiceProcess | undefined

before(async () => {
  database = await ownDatabase()
  settings = {
    KITSEAL_DATA: data,
    KITSEAL_LEASE_SECONDS: '2',
    KITSEAL_LOG_LEVEL: 'error',
    ...database.settings,
    ...ownPlaces(),
  }
})
after(async () => {
  assert.equal(await service?.end('SIGTERM'), 0)
  await database[Symbol.asyncDispose]()
  rmSync(data, { recursive: true })
})

test('a step that is never reached does not end the service', async () => {
  const client = await newClient()
  writeFileSync(killFile, 'no step')
  const id = await client.submission()
  assert.equal((await client.upload(id, form({ 'a.txt': 'x' }))).status, 202)
  assert.equal((await client.ended(id))['status'], 'PASS')
})

for (const step of STEPS)
  test(`killed at "${step}": acknowledged evidence is kept, partial results stay invisible, and a scrub finds no problem`, async () => {
    const client = await newClient()
    const id = await client.submission()
    const fails = FAIL_STEPS.has(step)
    const evidence = fails
      ? form({ 'a.pdf': '%PDF-' })
      : form({ 'e.zip': zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' }) })
    writeFileSync(killFile, step)
    const acknowledged = await client.upload(id, evidence).then(
      ({ status }) => status === 202,
      () => false,
    )
    assert.equal(await service?.ended(), 'SIGKILL', 'the service reached the step')
    service = undefined
    rmSync(killFile)
    if (STEPS.indexOf(step) <= ACCEPTED) assert.equal(acknowledged, false, 'the upload was not acknowledged')

    const { base } = await running()
    const again = clientOf({ call: checkedClient(base) }, client.workspaceId, client.key)
    if (STEPS.indexOf(step) < ACCEPTED) await isUnchanged(again, id)
    const ended = await again.ended(id)
    assert.equal(ended['status'], fails ? 'FAIL' : 'PASS')
    await isCompleteAndUnique(again, ended, testConfig(settings))
  })

async function running(): Promise<ServiceProcess> {
  service ??= await serviceProcess({
    ...settings,
    KILL_FILE: killFile,
    NODE_OPTIONS: `--import=${new URL('./die-at-step.ts', import.meta.url).href}`,
  })
  return service
}

/** A client of a new workspace. */
async function newClient(): Promise<WorkspaceClient> {
  const { base } = await running()
  return workspaceClient({ dataFolder: data, config: testConfig(settings), call: checkedClient(base) })
}

/** PENDING, without evidence or a held credit, and open for another upload. */
async function isUnchanged(client: WorkspaceClient, id: string): Promise<void> {
  const record = (await client.get(`/v1/submissions/${id}`)).json
  assert.deepEqual([record['status'], record['evidence']], ['PENDING', []])
  assert.deepEqual(await client.credits(), { available: 10, held: 0 })
  const upload = form({ 'e.zip': zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' }) })
  assert.equal((await client.upload(id, upload)).status, 202)
}

async function isCompleteAndUnique(
  client: WorkspaceClient,
  ended: Readonly<Record<string, unknown>>,
  config: Config,
): Promise<void> {
  const issued = ended['status'] === 'PASS'
  assert.deepEqual(await client.credits(), { available: issued ? 9 : 10, held: 0 })
  if (issued) {
    const kit = (await client.get(`/v1/kits/${String(ended['kit_id'])}/download`)).bytes
    assert.ok(kit.includes('/proofs/log.tlog-proof'), 'with its log proof')
    const verdict = await client.post('/v1/verify/kit', kit, { 'content-type': 'application/zip' })
    assert.equal(verdict.json['status'], 'PASS')
  }
  await using store = await openStore(config)
  const kits = await store.db.selectFrom('kits').select('job_id').execute()
  const ofJob = kits.filter(({ job_id }) => job_id === ended['job_id'])
  assert.equal(ofJob.length, issued ? 1 : 0, 'at most one kit')
  const leaves = await store.db.selectFrom('log_leaves').where('kit_id', 'is not', null).selectAll().execute()
  assert.equal(leaves.length, kits.length, 'one leaf for each kit')
  assert.deepEqual(await findings(store), [], 'a scrub finds no problem')
}

async function findings(store: Store): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const { finding } of scrubObjects(store)) if (finding !== undefined) found.push(finding)
  return found
}
