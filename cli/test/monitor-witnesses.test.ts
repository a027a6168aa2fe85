import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { vkey } from '@kitseal/kit/internal'
import { testWitness } from '../../kit/test/make-log.ts'
import { monitoredLog, type MonitoredLog } from './run-monitor.ts'
import { healthy } from './scripted-log.ts'

const [w1, w2] = [testWitness('w1.example'), testWitness('w2.example')]

/** A policy that asks for both witnesses. */
function writePolicy({ log, folder }: MonitoredLog): string {
  const policy = join(folder, 'policy')
  writeFileSync(
    policy,
    `log ${log.vkey}\nwitness w1 ${vkey(w1.key)}\nwitness w2 ${vkey(w2.key)}\n` +
      'group both all w1 w2\nquorum both\n',
  )
  return policy
}

test('a checkpoint without the quorum of the policy is an alert, and with it is fine', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const policy = writePolicy(monitored)
  monitored.log.cosigners = [w1, w2]
  assert.equal((await monitored.run('--policy', policy)).code, 0)
  monitored.log.cosigners = [w1]
  monitored.log.entries = healthy(4)
  const { code, alerts, lines } = await monitored.run('--policy', policy)
  assert.deepEqual({ code, alerts }, { code: 1, alerts: ['quorum_lost'] })
  assert.match(String(lines[0]?.['message']), /^w1 cosigned the checkpoint, which is less than/)
})

test('old cosignatures are stale, and fresh ones are not', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const policy = writePolicy(monitored)
  monitored.log.cosigners = [w1, w2]
  assert.equal((await monitored.run('--policy', policy, '--max-age', '1h')).code, 0)
  monitored.log.time -= 3700
  const { alerts, lines } = await monitored.run('--policy', policy, '--max-age', '1h')
  assert.deepEqual(alerts, ['stale'])
  assert.match(String(lines[0]?.['message']), /^witnesses have not cosigned since 20/)
})

test('without witnesses, a log that has not grown is stale', async () => {
  await using monitored = await monitoredLog(healthy(3))
  assert.equal((await monitored.run('--max-age', '1h')).code, 0)
  const state = new DatabaseSync(monitored.state)
  state.exec('update monitor set changed_at = changed_at - 3700000')
  state.close()
  assert.deepEqual((await monitored.run('--max-age', '2h')).alerts, [])
  const { alerts, lines } = await monitored.run('--max-age', '1h')
  assert.deepEqual(alerts, ['stale'])
  assert.match(String(lines[0]?.['message']), /^the log has not grown since 20/)
  monitored.log.entries = healthy(4)
  assert.deepEqual((await monitored.run('--max-age', '1h')).alerts, [])
})

test('a policy must name the log of the issuer', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const policy = join(monitored.folder, 'policy')
  const others = ['a.example/log', 'b.example/log'].map((name) => {
    const { key } = testWitness(name)
    return `log ${vkey({ ...key, type: 1 })}`
  })
  writeFileSync(policy, `${others.join('\n')}\nquorum none\n`)
  assert.equal((await monitored.run('--policy', policy)).code, 2)
})
