import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testService } from '../../test/kit/service.ts'
import { monitoredLog, runMonitor } from './run-monitor.ts'
import { healthy, keyAdded, receipt } from './scripted-log.ts'

test('the log of a service is fine: kits, new keys, revoked keys', async () => {
  await using service = await testService()
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-monitor-'))
  try {
    const options = [service.base, '--state', join(folder, 'state')] as const
    const issue = async (): Promise<void> => {
      const { kitId } = await service.issue()
      // The leaf has its place in the log when there is a proof.
      assert.equal((await service.call(`/v1/kits/${kitId}/log-proof`)).status, 200)
    }
    await issue()
    assert.deepEqual((await runMonitor(...options)).alerts, [])
    await service.service.signingKeys.rotate()
    await issue()
    const [retired] = await service.service.signingKeys.list()
    await service.service.signingKeys.revoke(retired?.kid ?? '')
    const { alerts, code } = await runMonitor(...options)
    assert.deepEqual({ alerts, code }, { alerts: [], code: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a mirror is a log that can be monitored, and is never ahead of what was verified', async () => {
  await using monitored = await monitoredLog(healthy(300))
  const mirror = join(monitored.folder, 'mirror')
  const { log } = monitored
  // Tiles from before --mirror was given are added.
  await monitored.run()
  for (const size of [300, 520]) {
    log.entries = healthy(size)
    assert.equal((await monitored.run('--mirror', mirror)).code, 0)
    log.requested()
    assert.equal((await monitored.run('--mirror', mirror)).code, 0)
    assert.ok(!log.requested().some((path) => path.includes('/entries/')), 'nothing is downloaded twice')
  }
  assert.ok(!existsSync(join(mirror, 'tile/0/001.p')), 'partial tiles are deleted when the full one is there')
  const checkpoint = readFileSync(join(mirror, 'checkpoint'))
  log.entries = [keyAdded(), receipt('forked'), ...healthy(600).slice(2)]
  assert.deepEqual((await monitored.run('--mirror', mirror)).alerts, ['fork'])
  assert.deepEqual(readFileSync(join(mirror, 'checkpoint')), checkpoint)
  const forgetful = join(monitored.folder, 'new-state')
  const forked = await runMonitor(log.issuer, '--state', forgetful, '--mirror', mirror)
  assert.deepEqual(forked.alerts, ['fork'], 'a mirror remembers the log, even without its state')
  log.entries = healthy(520)

  await using copy = await monitoredLog(healthy(1))
  for (const path of ['checkpoint', 'tile/0/000', 'tile/0/001', 'tile/0/002.p/8', 'tile/1/000.p/2'])
    copy.log.overrides.set(`/log/${path}`, (response) => response.end(readFileSync(join(mirror, path))))
  for (const path of ['tile/entries/000', 'tile/entries/001', 'tile/entries/002.p/8'])
    copy.log.overrides.set(`/log/${path}`, (response) => response.end(readFileSync(join(mirror, path))))
  const policy = join(copy.folder, 'policy')
  writeFileSync(policy, `log ${log.vkey}\nquorum none\n`)
  const { code, lines } = await copy.run('--policy', policy)
  assert.deepEqual([code, lines[0]?.['size']], [0, 520])
})

test('a monitor that is killed keeps its old state', async () => {
  await using monitored = await monitoredLog(healthy(300))
  const { log } = monitored
  assert.equal((await monitored.run()).code, 0)
  log.entries = [...healthy(600), receipt('job 1', { name: 'again' })]
  const reached = new Promise<void>((resolve) => {
    log.overrides.set('/log/tile/entries/002.p/89', () => resolve())
  })
  const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
  const child = spawn(process.execPath, [kitseal, 'monitor', log.issuer, '--state', monitored.state], {
    stdio: 'ignore',
  })
  await reached
  child.kill('SIGKILL')
  await once(child, 'exit')
  log.overrides.clear()
  const { alerts, lines } = await monitored.run()
  assert.deepEqual(alerts, ['job_twice'])
  assert.equal(lines.at(-1)?.['new_leaves'], 301)
})

test('two monitors cannot use one state at the same time', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const { log } = monitored
  const held = new Promise<ServerResponse>((resolve) => log.overrides.set('/log/checkpoint', resolve))
  const first = monitored.run()
  const response = await held
  const second = await monitored.run()
  assert.equal(second.code, 2)
  assert.match(JSON.stringify(second.lines), /another monitor is using the state/)
  response.end(log.note(log.entries))
  assert.equal((await first).code, 0)
})
