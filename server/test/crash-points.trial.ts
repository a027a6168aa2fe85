import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Config, readConfig } from '../src/config.ts'
import { openStore, type Store } from '../src/open-store.ts'
import { type Step, STEPS } from '../src/steps.ts'
import { scrubObjects } from '../src/maintenance/scrub-objects.ts'
import { checkedClient } from './checked-client.ts'
import { zipOf } from '../../evidence/test/evidence-samples.ts'
import { ownDatabase } from './test-database.ts'
import { ownPlaces } from './test-places.ts'
import { type ServiceProcess, serviceProcess } from './service-process.ts'
import { clientOf, form, type WorkspaceClient, workspaceClient } from './workspace-client.ts'

/** Steps that only evidence with a blocker reaches. */
const FAIL_STEPS = new Set<Step>(['job failing', 'job failed'])
/** The upload is acknowledged after this step. A crash before it leaves the submission unchanged. */
const ACCEPTED = STEPS.indexOf('upload accepted')

for (const step of STEPS)
  test(`killed at "${step}": acknowledged evidence is kept, partial results stay invisible, and a scrub finds no problem`, async () => {
    const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
    await using database = await ownDatabase()
    const settings = {
      KITSEAL_DATA: data,
      KITSEAL_LEASE_SECONDS: '2',
      KITSEAL_LOG_LEVEL: 'error',
      ...database.settings,
      ...ownPlaces(),
    }
    const config = configOf(settings)
    // The first start puts the signing key into the log, and must not end at a step of the log.
    if (step.startsWith('log ')) assert.equal(await (await serviceProcess(settings)).end('SIGTERM'), 0)
    const preload = new URL('./die-at-step.ts', import.meta.url).href
    const first = await serviceProcess({ ...settings, KILL_AT: step, NODE_OPTIONS: `--import=${preload}` })
    const client = await workspaceClient({
      dataFolder: data,
      config,
      call: checkedClient(first.base),
    })
    const id = await client.submission()
    const fails = FAIL_STEPS.has(step)
    const evidence = fails
      ? form({ 'a.json': '{' })
      : form({ 'e.zip': zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' }) })
    const acknowledged = await client.upload(id, evidence).then(
      ({ status }) => status === 202,
      () => false,
    )
    assert.equal(await first.ended(), 'SIGKILL', 'the service reached the step')
    if (STEPS.indexOf(step) <= ACCEPTED) assert.equal(acknowledged, false, 'the upload was not acknowledged')

    await using second = await restarted(settings)
    const again = clientOf({ call: checkedClient(second.process.base) }, client.workspaceId, client.key)
    if (STEPS.indexOf(step) < ACCEPTED) await isUnchanged(again, id)
    const ended = await again.ended(id)
    assert.equal(ended['status'], fails ? 'FAIL' : 'PASS')
    await isCompleteAndUnique(again, ended, config)
  })

test('a step that is never reached does not end the service', async () => {
  const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
  const preload = new URL('./die-at-step.ts', import.meta.url).href
  const service = await serviceProcess({
    KITSEAL_DATA: data,
    KILL_AT: 'no step',
    NODE_OPTIONS: `--import=${preload}`,
  })
  const client = await workspaceClient({ dataFolder: data, call: checkedClient(service.base) })
  const id = await client.submission()
  assert.equal((await client.upload(id, form({ 'a.txt': 'x' }))).status, 202)
  assert.equal((await client.ended(id))['status'], 'PASS')
  assert.equal(await service.end('SIGTERM'), 0)
  rmSync(data, { recursive: true })
})

async function restarted(
  settings: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { process: ServiceProcess }> {
  const process = await serviceProcess(settings)
  return {
    process,
    [Symbol.asyncDispose]: async () => {
      assert.equal(await process.end('SIGTERM'), 0)
      rmSync(settings['KITSEAL_DATA']!, { recursive: true })
    },
  }
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
  assert.equal(kits.length, issued ? 1 : 0, 'at most one kit')
  const leaves = await store.db.selectFrom('log_leaves').where('kit_id', 'is not', null).selectAll().execute()
  assert.equal(leaves.length, kits.length, 'one leaf for each kit')
  assert.deepEqual(await findings(store), [], 'a scrub finds no problem')
}

function configOf(settings: Readonly<Record<string, string>>): Config {
  const config = readConfig(settings)
  assert.ok(config.ok, JSON.stringify(config))
  return config.value
}

async function findings(store: Store): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const { finding } of scrubObjects(store)) if (finding !== undefined) found.push(finding)
  return found
}
