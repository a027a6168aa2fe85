import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPage } from '@kitseal/kit/internal/node'
import { openStore } from '../src/open-store.ts'
import { startWorkThread } from '../src/work/start-work-thread.ts'
import type { Worker } from '../src/work/worker.ts'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { testService, type TestService } from '../../test/kit/service.ts'
import { form, workspaceClient } from '../../test/kit/workspace.ts'

/** A third of the default timeout: long enough for a busy machine. `KITSEAL_TRY_HANGS=1 npm test -- crash-parsers` tests the default. */
const LIMITS = { heapMegabytes: 512, heartbeatTimeoutMs: 10_000 }

test('a parser that hangs fails one submission with a clear message; others are issued, and the service keeps responding', async () => {
  await using front = await testService({ KITSEAL_ROLE: 'api' })
  const client = await workspaceClient(front)
  const bad = await client.submission()
  const good = await client.submission()
  assert.equal((await client.upload(bad, zip('LOOP-FOREVER\n'))).status, 202)
  assert.equal((await client.upload(good, zip('sound\n'))).status, 202)
  const faults: string[] = []
  await using work = await workThread(front, faults)

  let answered = 0
  const isStuck = async (): Promise<boolean> =>
    (await client.get(`/v1/submissions/${bad}`)).json['status'] !== 'FAIL'
  while (await isStuck()) {
    assert.equal((await fetch(`${front.base}/healthz`)).status, 200)
    answered += 1
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  assert.ok(answered > 2, `answered ${answered} times while the thread was stuck`)
  assert.ok(faults.length >= 2, 'it was retried')
  for (const fault of faults) assert.equal(fault, 'the work thread is stuck')
  const [blocker] = (await client.ended(bad))['blockers'] as readonly { code: string; message: string }[]
  assert.equal(blocker?.code, 'evidence_unexaminable')
  assert.match(blocker?.message ?? '', /it took longer than the service allows/)
  assert.equal((await client.ended(good))['status'], 'PASS')
  assert.deepEqual(await client.credits(), { available: 9, held: 0 })
  assert.ok(work.worker.healthy())
})

const zip = (text: string): FormData => form({ 'e.zip': zipOf({ 'a.txt': text }) })

/** A work thread with a short timeout. */
async function workThread(
  front: TestService,
  faults: string[],
): Promise<AsyncDisposable & { worker: Worker }> {
  const store = await openStore(front.config)
  const worker = startWorkThread(
    store.db,
    {
      config: front.config,
      issuer: front.base,
      page: await store.objects.put(startPage(front.base)),
      log: { error: (_fields, message) => faults.push(message) },
      lines: { write: () => undefined },
      ended: () => undefined,
    },
    new URL('./faulty-work-thread.ts', import.meta.url),
    LIMITS,
  )
  return {
    worker,
    [Symbol.asyncDispose]: async () => {
      await worker.stop()
      await store[Symbol.asyncDispose]()
    },
  }
}
