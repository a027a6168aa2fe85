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

/** Steps that only evidence with a blocker comes to. */
const OF_A_FAIL = new Set<Step>(['job failing', 'job failed'])
/** The upload is not acknowledged before this: what is killed earlier leaves the submission as it was. */
const ACCEPTED = STEPS.indexOf('upload accepted')

/** What the whole test run walks; `npm test -- crash-points` walks every step. */
const FEW = new Set<Step>(['upload accepted', 'job claimed', 'kit stored', 'kit issuing', 'job failing'])
const isBrief = process.env['BRIEF_TESTS'] === '1'

for (const step of STEPS)
  test(
    `killed at the step "${step}": nothing acknowledged is lost, nothing half-made shows, and a scrub finds nothing`,
    {
      timeout: 120_000,
      skip: isBrief && !FEW.has(step) ? 'a step of many: "npm test -- crash-points" walks them all' : false,
    },
    async () => {
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
      const preload = new URL('./die-at-step.ts', import.meta.url).href
      const first = await serviceProcess({ ...settings, KILL_AT: step, NODE_OPTIONS: `--import=${preload}` })
      const client = await workspaceClient({
        dataFolder: data,
        config,
        call: await checkedClient(first.base),
      })
      const id = await client.submission()
      const fails = OF_A_FAIL.has(step)
      const evidence = fails
        ? form({ 'a.json': '{' })
        : form({ 'e.zip': zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' }) })
      const acknowledged = await client.upload(id, evidence).then(
        ({ status }) => status === 202,
        () => false,
      )
      assert.equal(await first.ended(), 'SIGKILL', 'it came to that step')
      if (STEPS.indexOf(step) <= ACCEPTED) assert.equal(acknowledged, false, 'the answer was not sent')

      await using second = await restarted(settings)
      const again = clientOf(
        { call: await checkedClient(second.process.base) },
        client.workspaceId,
        client.key,
      )
      if (STEPS.indexOf(step) < ACCEPTED) await isAsItWas(again, id)
      const ended = await again.ended(id)
      assert.equal(ended['status'], fails ? 'FAIL' : 'PASS')
      await isWholeAndOnce(again, ended, config)
    },
  )

test('a step that nobody comes to ends nothing', async () => {
  const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
  const preload = new URL('./die-at-step.ts', import.meta.url).href
  const service = await serviceProcess({
    KITSEAL_DATA: data,
    KILL_AT: 'no step',
    NODE_OPTIONS: `--import=${preload}`,
  })
  const client = await workspaceClient({ dataFolder: data, call: await checkedClient(service.base) })
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

/** PENDING, with no evidence and no credit held; and it takes the upload again. */
async function isAsItWas(client: WorkspaceClient, id: string): Promise<void> {
  const record = (await client.get(`/v1/submissions/${id}`)).json
  assert.deepEqual([record['status'], record['evidence']], ['PENDING', []])
  assert.deepEqual(await client.credits(), { available: 10, held: 0 })
  const upload = form({ 'e.zip': zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' }) })
  assert.equal((await client.upload(id, upload)).status, 202)
}

async function isWholeAndOnce(
  client: WorkspaceClient,
  ended: Readonly<Record<string, unknown>>,
  config: Config,
): Promise<void> {
  const issued = ended['status'] === 'PASS'
  assert.deepEqual(await client.credits(), { available: issued ? 9 : 10, held: 0 })
  if (issued) {
    const kit = (await client.get(`/v1/kits/${String(ended['kit_id'])}/download`)).bytes
    const verdict = await client.post('/v1/verify/kit', kit, { 'content-type': 'application/zip' })
    assert.equal(verdict.json['status'], 'PASS')
  }
  await using store = await openStore(config)
  const kits = await store.db.selectFrom('kits').select('job_id').execute()
  assert.equal(kits.length, issued ? 1 : 0, 'one kit at most')
  assert.deepEqual(await findings(store), [], 'a scrub finds nothing')
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
