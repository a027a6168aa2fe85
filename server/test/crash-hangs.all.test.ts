import { loadProfiles } from '@kitseal/examiner/node'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPage } from '@kitseal/kit/internal/node'
import { openStore } from '../src/open-store.ts'
import { startPool } from '../src/runtime/worker-pool.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { randomIdentifiers } from '../src/runtime/identifiers.ts'
import { leaseOwner } from '../src/runtime/lease-owner.ts'
import type { WorkerFunctions } from '../src/work/worker-functions.ts'
import { runWork, type Work } from '../src/work/run-work.ts'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { testService, type TestService } from '../../test/kit/service.ts'
import { form, workspaceClient } from '../../test/kit/workspace.ts'

/** A third of the default timeout: long enough for a busy machine. `KITSEAL_TRY_HANGS=1 npm test -- crash-parsers` tests the default. */
const LIMITS = { heapMegabytes: 512, hangMs: 10_000, taskMs: 60_000, patienceMs: 250 }

test('a parser that hangs fails one submission with a clear message; others are issued, and the service keeps responding', async () => {
  await using front = await testService({ KITSEAL_ROLE: 'api' })
  const client = await workspaceClient(front)
  const bad = await client.submission()
  const good = await client.submission()
  assert.equal((await client.upload(bad, zip('LOOP-FOREVER\n'))).status, 202)
  assert.equal((await client.upload(good, zip('sound\n'))).status, 202)
  const faults: string[] = []
  await using work = await workWithPool(front, faults)

  let answered = 0
  const isStuck = async (): Promise<boolean> =>
    (await client.get(`/v1/submissions/${bad}`)).json['status'] !== 'FAIL'
  while (await isStuck()) {
    assert.equal((await fetch(`${front.base}/healthz`)).status, 200)
    answered += 1
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  assert.ok(answered > 2, `answered ${answered} times while the worker was stuck`)
  assert.equal(faults.filter((fault) => fault === 'a worker is terminated: it is stuck').length, 2)
  const [blocker] = (await client.ended(bad))['blockers'] as readonly { code: string; message: string }[]
  assert.equal(blocker?.code, 'evidence_unexaminable')
  assert.match(blocker?.message ?? '', /it took longer than the service allows/)
  assert.equal((await client.ended(good))['status'], 'PASS')
  assert.deepEqual(await client.credits(), { available: 9, held: 0 })
  assert.ok(work.worker.healthy())
})

const zip = (text: string): FormData => form({ 'e.zip': zipOf({ 'a.txt': text }) })

/** Work with workers that hang soon. */
async function workWithPool(
  { config, base: issuer }: TestService,
  faults: string[],
): Promise<AsyncDisposable & { worker: Work }> {
  const store = await openStore(config)
  const log = {
    info: () => {},
    warn: () => {},
    error: (_fields: object, message: string) => void faults.push(message),
  }
  const { objects, clamav } = config
  const pool = startPool<WorkerFunctions>({
    file: new URL('./faulty-worker-thread.ts', import.meta.url),
    workerData: { objects, clamav },
    size: 1,
    risky: ['examine'],
    log,
    limits: LIMITS,
  })
  const worker = runWork(store, {
    config,
    clock: systemClock,
    identifiers: randomIdentifiers(systemClock),
    issuer,
    page: await store.objects.put(startPage(issuer)),
    owner: leaseOwner(),
    concurrency: 2,
    kinds: [],
    pool,
    profiles: loadProfiles(),
    log,
    ended: () => {},
  })
  return {
    worker,
    [Symbol.asyncDispose]: async () => {
      await worker.stop()
      await pool.stop()
      await store[Symbol.asyncDispose]()
    },
  }
}
