import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../index.ts'
import { freezeLog } from '../log/freeze-log.ts'
import { resumeLog } from '../log/log-status.ts'
import { testService } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'
import { type WaitingJob, waitingOf } from './statuses.ts'

const NONE = { witnessPolicy: undefined, authorities: [] }
const BOTH = { witnessPolicy: '/policy', authorities: ['https://tsa.example'] }
const [EARLY, NOW, LATE] = ['01', '02', '03'].map((day) => `2026-01-${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
]

const view = (columns: Partial<WaitingJob> & Pick<WaitingJob, 'status'>): WaitingJob => ({
  job_updated_at: EARLY,
  held_until: null,
  failing_since: null,
  log_frozen_at: null,
  log_cosigned: null,
  log_time_stamp: null,
  ...columns,
})

test('a submission says what it waits for, and nothing once it is processed or final', () => {
  const queued = view({ status: 'SUBMITTED' })
  const sealed = view({ status: 'PASS' })
  assert.equal(waitingOf(view({ status: 'DRAFT', log_frozen_at: LATE }), NOW, NONE)?.reason, 'evidence')
  assert.equal(waitingOf(queued, NOW, NONE)?.reason, 'queue')
  assert.equal(waitingOf({ ...queued, failing_since: EARLY }, NOW, NONE)?.reason, 'retry')
  assert.equal(waitingOf(sealed, NOW, NONE)?.reason, 'log')
  assert.equal(waitingOf(sealed, NOW, BOTH)?.reason, 'witnesses')
  assert.equal(waitingOf({ ...sealed, log_cosigned: 1 }, NOW, BOTH)?.reason, 'time_stamp')
  const confirmed = { ...sealed, log_cosigned: 1, log_time_stamp: 'MIIB' }
  assert.equal(waitingOf(confirmed, NOW, BOTH)?.reason, 'log')
  const held = view({ status: 'SUBMITTED', held_until: LATE, log_frozen_at: EARLY })
  assert.equal(waitingOf(held, NOW, BOTH), null)
  for (const status of ['ISSUED', 'FAIL', 'EXPIRED'] as const)
    assert.equal(waitingOf(view({ status, log_frozen_at: LATE }), NOW, BOTH), null)
})

test('a submission waits for a frozen log since the later of the two', () => {
  const sealed = view({ status: 'PASS', log_frozen_at: LATE })
  assert.deepEqual(waitingOf(sealed, NOW, BOTH), { reason: 'log_frozen', since: LATE })
  const frozenBefore = { ...sealed, log_frozen_at: EARLY, job_updated_at: LATE }
  assert.deepEqual(waitingOf(frozenBefore, NOW, BOTH), { reason: 'log_frozen', since: LATE })
})

test('a frozen log is told with the upload and with every poll, until it is resumed', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service)
  const first = await acme.submission()
  assert.equal(await waitsFor(acme, first), 'evidence')
  await acme.upload(first, form({ 'a.txt': 'A note.\n' }))
  assert.equal((await acme.ended(first))['waiting'], null)
  await using store = await openStore(service.config)
  await freezeLog(store.db, 'a test', { now: () => Date.now() })
  const held = await acme.submission()
  const uploaded = await acme.upload(held, form({ 'a.txt': 'A note.\n' }))
  assert.equal((uploaded.json['waiting'] as { reason: string }).reason, 'log_frozen')
  await sealed(acme, held)
  assert.equal(await waitsFor(acme, held), 'log_frozen')
  assert.equal((await resumeLog(store)).is, 'resumed')
  assert.deepEqual(await ending(acme, held), ['PASS', null])
})

test('a kit that needs a time-stamp says that no authority has given one', async () => {
  await using service = await testService({
    KITSEAL_TSA_URL: 'http://127.0.0.1:9/',
    KITSEAL_PROOF: 'require',
    TEST_PROOF_WAIT_MS: '0',
  })
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'A note.\n' }))
  await sealed(acme, id)
  assert.equal(await waitsFor(acme, id), 'time_stamp')
})

const recordOf = async (acme: WorkspaceClient, id: string) => (await acme.get(`/v1/submissions/${id}`)).json
const waitsFor = async (acme: WorkspaceClient, id: string): Promise<string | undefined> =>
  ((await recordOf(acme, id))['waiting'] as { reason: string } | null)?.reason
const ending = async (acme: WorkspaceClient, id: string) => {
  const { status, waiting } = await acme.ended(id)
  return [status, waiting]
}
/** Waits until a worker has sealed its kit, and only the proof is missing. */
const sealed = (acme: WorkspaceClient, id: string): Promise<unknown> =>
  until(async () => {
    const { status, waiting } = await recordOf(acme, id)
    return status === 'RUNNING' && waiting !== null
  })
