import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readServiceStatus, type ServiceStatus } from './service-status.ts'
import { timestamp } from './runtime/clock.ts'
import { freezeLog } from './log/freeze-log.ts'
import { openStore } from './open-store.ts'
import { writeBackup } from './maintenance/backup.ts'
import { member } from '../../test/kit/console.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { administer } from '../../test/kit/workspace.ts'

const problems = ({ checks }: ServiceStatus): Readonly<Record<string, string>> =>
  Object.fromEntries(checks.flatMap(({ check, status }) => (status === 'ok' ? [] : [[check, status]])))

async function shown(service: TestService): Promise<ServiceStatus> {
  await administer(service, (admin) => admin.operators.add('owner@acme.example'))
  const { status, json, text } = await (await member(service)).get('/service')
  assert.equal(status, 200, text)
  return json['status'] as ServiceStatus
}

test('the page and the command show the same facts, and a new service has no backup', async () => {
  await using service = await testService()
  await service.issue()
  const [page, command] = [await shown(service), await readServiceStatus(service.config)]
  const { at: _, issuer: ofPage, nodes, storage, ...facts } = page
  const { at: __, issuer: ofCommand, nodes: alsoNodes, storage: alsoStorage, ...sameFacts } = command
  assert.deepEqual(facts, sameFacts)
  assert.deepEqual(Object.keys(storage), Object.keys(alsoStorage))
  assert.deepEqual([nodes.length, nodes[0]?.is_running, alsoNodes[0]?.name], [1, true, nodes[0]?.name])
  assert.equal(ofPage, service.base)
  assert.equal(ofCommand, service.config.issuer ?? null)
  assert.deepEqual(problems(page), { backup: 'warn' })
  assert.deepEqual([page.queue.waiting, page.queue.running, page.queue.oldest_at], [0, 0, null])
  assert.equal(page.signing_keys[0]?.state, 'active')
  assert.ok((page.log?.size ?? 0) > 0 && page.storage.disks.length > 0)
  assert.deepEqual(
    page.checks.slice(0, 3).map(({ check }) => check),
    ['database', 'objects', 'signing_key'],
  )
  const unset = page.checks.filter(({ check }) => check === 'mail' || check === 'witnesses')
  assert.deepEqual(unset, [], 'what is not set up is not called fine')
})

test('a backup, a frozen log and a failing mail server are shown until they are over', async () => {
  await using service = await testService({
    KITSEAL_SMTP_URL: 'smtp://127.0.0.1:9',
    KITSEAL_MAIL_FROM: 'a@b.example',
  })
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-status-'))
  await writeBackup(service.config, { folder })
  await rm(folder, { recursive: true })
  await using store = await openStore(service.config)
  const { db, clock } = store
  const read = () => readServiceStatus(service.config)
  const { backup, checks } = await read()
  assert.equal(backup?.missing, 0)
  assert.deepEqual(checks.find(({ check }) => check === 'backup')?.status, 'ok')

  const tried = async (
    id: string,
    state: 'pending' | 'sent' | 'failed',
    problem: string | null,
    afterMs: number,
  ) => {
    const { workspace_id } = await db
      .selectFrom('workspaces')
      .select('workspace_id')
      .executeTakeFirstOrThrow()
    const tried_at = timestamp(clock.now() + afterMs)
    const row = { mail_id: id, workspace_id, dedupe: id, payload: null, state, problem, tried_at }
    await db
      .insertInto('mails')
      .values({ ...row, created_at: tried_at, ended_at: null })
      .execute()
  }
  await tried('a', 'pending', 'connection refused', 0)
  await freezeLog(db, 'a test', clock)
  const worse = await read()
  assert.deepEqual(problems(worse), { log: 'fail', mail: 'warn' })
  assert.deepEqual([worse.log?.frozen?.reason, worse.mail.last_problem], ['a test', 'connection refused'])

  await tried('b', 'sent', null, 1000)
  const sent = await read()
  assert.deepEqual(problems(sent), { log: 'fail' })
  assert.equal(sent.checks.find(({ check }) => check === 'mail')?.status, 'ok')
  await tried('c', 'failed', 'no such mailbox', 2000)
  assert.deepEqual(problems(await read()), { log: 'fail' }, 'one wrong address is no failing server')
})

test('a service that is down is reported, and a backup of last month is too old', async () => {
  const service = await testService()
  const month = 30 * 24 * 60 * 60_000
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-status-'))
  await writeBackup(service.config, { folder, clock: { now: () => Date.now() - month } })
  await rm(folder, { recursive: true })
  await service.service.stop()
  const status = await readServiceStatus(service.config)
  assert.deepEqual(problems(status), { work: 'fail', nodes: 'fail', backup: 'warn' })
  assert.deepEqual(status.nodes, [])
  await service[Symbol.asyncDispose]()
})
