import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { vkey } from '@kitseal/kit/internal'
import { testWitness } from '../../kit/test/make-log.ts'
import { monitoredLog, type MonitoredLog, runMonitor } from './run-monitor.ts'
import { healthy, receipt, sha256Of } from './scripted-log.ts'
import { startWitness } from '../../test/kit/witness.ts'

const [w1, w2] = [testWitness('w1.example'), testWitness('w2.example')]

/** A policy that asks for both witnesses, the second of which can be read at a path of the log's server. */
function writePolicy({ log, folder }: MonitoredLog): { readonly policy: string; readonly view: string } {
  const policy = join(folder, 'policy')
  writeFileSync(
    policy,
    `log ${log.vkey}\nwitness w1 ${vkey(w1.key)}\nwitness w2 ${vkey(w2.key)} ${log.issuer}/w2/\n` +
      'group both all w1 w2\nquorum both\n',
  )
  return { policy, view: `/w2/${sha256Of(log.origin)}/checkpoint` }
}

test('a checkpoint without the quorum of the policy is an alert, and with it is fine', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const { policy } = writePolicy(monitored)
  monitored.log.cosigners = [w1, w2]
  assert.equal((await monitored.run('--policy', policy)).code, 0)
  monitored.log.cosigners = [w1]
  monitored.log.entries = healthy(4)
  const { code, alerts, lines } = await monitored.run('--policy', policy)
  assert.deepEqual({ code, alerts }, { code: 1, alerts: ['quorum_lost'] })
  assert.match(String(lines[0]?.['message']), /^w1 cosigned the checkpoint, which is less than/)
})

test('cosignatures count that only the witness itself publishes', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const { policy, view } = writePolicy(monitored)
  const { log } = monitored
  log.cosigners = [w1]
  log.overrides.set(view, (response) => response.end(log.note(log.entries, [w2])))
  const { code, lines } = await monitored.run('--policy', policy)
  assert.equal(code, 0)
  assert.deepEqual(lines[0]?.['cosigned_by'], ['w1', 'w2'])
})

test('a witness that has seen another tree proves a fork, also of an earlier size', async () => {
  for (const size of [2, 4]) {
    await using monitored = await monitoredLog(healthy(4))
    const { policy, view } = writePolicy(monitored)
    const { log } = monitored
    log.cosigners = [w1, w2]
    const other = log.note([...healthy(size - 1), receipt('other')], [w2])
    log.overrides.set(view, (response) => response.end(other))
    const { alerts, evidence, lines } = await monitored.run('--policy', policy)
    assert.deepEqual(alerts, ['fork'])
    assert.match(String(lines[0]?.['message']), /the witness w2 has seen/)
    const [kept = ''] = evidence
    assert.deepEqual(new Uint8Array(readFileSync(kept)), other)
    log.overrides.set(view, (response) => response.end(log.note(healthy(size), [w2])))
    assert.equal((await monitored.run('--policy', policy)).code, 0)
  }
})

test('a witness that has seen a larger tree shows a rollback', async () => {
  await using monitored = await monitoredLog(healthy(4))
  const { policy, view } = writePolicy(monitored)
  const { log } = monitored
  log.cosigners = [w1, w2]
  log.overrides.set(view, (response) => response.end(log.note(healthy(5), [w2])))
  const { alerts, lines } = await monitored.run('--policy', policy)
  assert.deepEqual(alerts, ['rollback'])
  assert.match(String(lines[0]?.['message']), /has 4 leaves, but the witness w2 has seen 5/)
})

test('a witness cannot accuse a log of a checkpoint that the log did not sign, nor stop a run', async () => {
  await using monitored = await monitoredLog(healthy(4))
  const { policy, view } = writePolicy(monitored)
  const { log } = monitored
  log.cosigners = [w1, w2]
  const signed = Buffer.from(log.note(healthy(5), [w2])).toString()
  const unsigned = signed.replace(/^— 127.*\n/m, '')
  assert.notEqual(unsigned, signed)
  for (const content of [unsigned, log.note(healthy(5), []), 'garbage', Buffer.alloc(1_000_000)]) {
    log.overrides.set(view, (response) => response.end(content))
    const { code, stderr } = await monitored.run('--policy', policy)
    assert.equal(code, 0)
    assert.match(stderr, /cannot read the witness w2: /)
  }
})

test('old cosignatures are stale, and fresh ones are not', async () => {
  await using monitored = await monitoredLog(healthy(3))
  const { policy } = writePolicy(monitored)
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

test('a fork is found through a running witness that cosigned the other history', async () => {
  await using monitored = await monitoredLog(healthy(4))
  const { log, folder } = monitored
  await using witness = await startWitness([log.signer.key])
  const policy = join(folder, 'policy')
  writeFileSync(policy, `log ${log.vkey}\nwitness w ${vkey(witness.key)} ${witness.url}\nquorum w\n`)
  const cosign = async (oldSize: number, note: Uint8Array, proof = ''): Promise<number> =>
    (await witness.post(Buffer.concat([Buffer.from(`old ${oldSize}\n${proof}\n`), note]))).status
  assert.equal(await cosign(0, log.note(healthy(4), [])), 200)
  const { code, lines } = await monitored.run('--policy', policy)
  assert.deepEqual([code, lines[0]?.['cosigned_by']], [0, ['w']])
  log.entries = [...healthy(3), receipt('shown to others')]
  const forgetful = await runMonitor(log.issuer, '--state', join(folder, 'new'), '--policy', policy)
  assert.deepEqual(forgetful.alerts, ['fork'])
  assert.equal(forgetful.evidence.length, 2)
})
