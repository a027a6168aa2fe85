// Only in test:all: waits for timeouts; monitor.test.ts has what a monitor detects
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { monitoredLog } from './run-monitor.ts'
import { healthy, receipt, sha256Of } from './scripted-log.ts'

const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))

test('a log that hangs, or sends a byte now and then, ends in a timeout', async () => {
  await using monitored = await monitoredLog(healthy(3))
  for (const path of ['/log/checkpoint', '/log/tile/entries/000.p/3', '/.well-known/jwks.json']) {
    monitored.log.overrides.set(path, (response) => {
      const drip = setInterval(() => response.write('x'), 200)
      response.on('close', () => clearInterval(drip))
    })
    const started = performance.now()
    const { code, alerts } = await monitored.run('--timeout', '1s')
    assert.deepEqual({ code, alerts }, { code: 4, alerts: ['log_unreachable'] }, path)
    assert.ok(performance.now() - started < 120_000)
    monitored.log.overrides.set(path, () => {})
    assert.equal((await monitored.run('--timeout', '1s')).code, 4)
    monitored.log.overrides.clear()
  }
  assert.equal((await monitored.run()).code, 0)
})

test('--follow reports an alert once while it lasts, survives an outage, and ends with SIGTERM', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const { log, folder, state } = monitored
  const list = join(folder, 'list')
  writeFileSync(list, [1, 2].map((at) => sha256Of(`receipt job ${at}`)).join('\n'))
  const options = ['--follow', '--interval', '1s', '--receipts', list, '--state', state, '--json']
  const child = spawn(process.execPath, [kitseal, 'monitor', log.issuer, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const shown: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    const { alert, status } = JSON.parse(line) as { readonly alert?: string; readonly status?: string }
    shown.push(alert ?? status ?? '')
  })
  const until = async (what: string, count: number): Promise<void> => {
    while (shown.filter((each) => each === what).length < count) await once(lines, 'line')
  }
  await until('OK', 2)
  log.entries.push(receipt('unasked'))
  await until('ALERT', 3)
  assert.equal(shown.filter((each) => each === 'receipt_unlisted').length, 1)
  log.overrides.set('/log/checkpoint', (response) => response.writeHead(500).end())
  await until('log_unreachable', 1)
  log.overrides.clear()
  await until('ALERT', 4)
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 143)
})

test('a log with two levels of tiles is followed, and its first leaves cannot be replaced', async () => {
  await using monitored = await monitoredLog(healthy(6_600))
  const first = await monitored.run()
  assert.deepEqual([first.code, first.lines[0]?.['new_leaves']], [0, 6_600])
  monitored.log.entries = [...healthy(6_700)]
  monitored.log.entries[7] = receipt('replaced')
  assert.deepEqual((await monitored.run()).alerts, ['fork'])
  monitored.log.entries = healthy(6_700)
  assert.equal((await monitored.run()).code, 0)
})
