import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseCheckpoint, thumbprint, utf8, vkey } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { testLogKey } from '../../kit/test/make-log.ts'
import { monitoredLog, type MonitorRun, runMonitor } from './run-monitor.ts'
import { healthy, KEY_X, keyAdded, receipt } from './scripted-log.ts'
import { isConsistent } from '../../kit/test/consistency.ts'

const OTHER_X = 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw'

function assertAlert({ code, alerts, lines }: MonitorRun, expected: string, message: RegExp): void {
  assert.deepEqual({ code, alerts }, { code: 1, alerts: [expected] }, JSON.stringify(lines))
  assert.match(String(lines[0]?.['message']), message)
}

function assertFine({ code, alerts, lines }: MonitorRun, size: number, newLeaves: number): void {
  assert.deepEqual({ code, alerts }, { code: 0, alerts: [] }, JSON.stringify(lines))
  assert.deepEqual(
    lines.map(({ status, size: at, new_leaves: count }) => ({ status, size: at, count })),
    [{ status: 'OK', size, count: newLeaves }],
  )
}

test('a log that only grows is fine at every size, and each leaf is checked once', async () => {
  await using monitored = await monitoredLog()
  let before = 0
  for (const size of [0, 1, 2, 255, 256, 257, 600, 600]) {
    monitored.log.entries = healthy(size)
    assertFine(await monitored.run(), size, size - before)
    before = size
  }
})

test('a run reads only the entries that are new', async () => {
  await using monitored = await monitoredLog(healthy(600))
  await monitored.run()
  monitored.log.requested()
  monitored.log.entries = healthy(605)
  assertFine(await monitored.run(), 605, 5)
  const entries = monitored.log.requested().filter((path) => path.includes('/entries/'))
  assert.deepEqual(entries, ['/log/tile/entries/002.p/93'])
})

test('another tree of the same size is a fork: both checkpoints are kept, and the state is not changed', async () => {
  await using monitored = await monitoredLog(healthy(5))
  await monitored.run()
  const seen = monitored.log.note(healthy(5))
  const forked = [...healthy(4), receipt('another job')]
  monitored.log.entries = forked
  for (const _ of ['first', 'again']) {
    const run = await monitored.run()
    assertAlert(run, 'fork', /signed two trees of size 5/)
    const [one = '', two = ''] = run.evidence
    assert.deepEqual(new Uint8Array(readFileSync(one)), seen)
    assert.deepEqual(new Uint8Array(readFileSync(two)), monitored.log.note(forked))
  }
  assert.equal(readdirSync(`${monitored.state}.evidence`).length, 1)
  monitored.log.entries = healthy(6)
  assertFine(await monitored.run(), 6, 1)
})

test('a larger tree that does not contain the one seen before is a fork', async () => {
  for (const size of [6, 300, 600]) {
    await using monitored = await monitoredLog(healthy(5))
    await monitored.run()
    monitored.log.entries = [keyAdded(), receipt('replaced'), ...healthy(size).slice(2)]
    const run = await monitored.run()
    assertAlert(run, 'fork', /does not contain the one of size 5 that this monitor has seen/)
    const [seen, served, proof] = run.evidence.map((path) => readFileSync(path))
    const [older, newer] = [parseCheckpoint(seen!), parseCheckpoint(served!)]
    const [at, root, ...hashes] = proof!.toString().trimEnd().split('\n')
    const then = { size: Number(at), root: Buffer.from(root!, 'base64') }
    const path = hashes.map((hash) => Buffer.from(hash, 'base64'))
    assert.ok(isConsistent(then, newer, path, nodeHost.digest), 'the served tree once had this root')
    assert.equal(then.size, older.size)
    assert.notDeepEqual(new Uint8Array(then.root), older.root)
  }
})

test('a smaller log is a rollback, and nothing is forgotten', async () => {
  await using monitored = await monitoredLog(healthy(5))
  await monitored.run()
  monitored.log.entries = healthy(4)
  assertAlert(await monitored.run(), 'rollback', /has 4 leaves, but this monitor has seen 5/)
  monitored.log.entries = healthy(5)
  assertFine(await monitored.run(), 5, 0)
})

test('a smaller checkpoint from a cache is not a rollback', async () => {
  await using monitored = await monitoredLog(healthy(5))
  await monitored.run()
  const { overrides, note } = monitored.log
  overrides.set('/log/checkpoint', (response) => {
    overrides.delete('/log/checkpoint')
    response.end(note(healthy(4)))
  })
  assertFine(await monitored.run(), 5, 0)
})

test('tiles and entries that do not match the checkpoint are alerts, and nothing of them is saved', async () => {
  const wrong: Readonly<Record<string, readonly [Uint8Array | undefined, RegExp]>> = {
    'tile/entries/001.p/44': [utf8('\0\x01x'.repeat(44)), /entry 256 of the log does not match/],
    'tile/entries/000': [utf8('\0\x01x'.repeat(255)), /has 255 entries/],
    'tile/0/000': [new Uint8Array(8192), /does not match the checkpoint/],
    'tile/0/001.p/44': [new Uint8Array(44 * 32), /do not match its checkpoint of size 300/],
    'tile/1/000.p/1': [new Uint8Array(33), /has 33 bytes/],
  }
  for (const [path, [content, message]] of Object.entries(wrong)) {
    await using monitored = await monitoredLog(healthy(300))
    const { overrides } = monitored.log
    overrides.set(`/log/${path}`, (response) => response.end(content))
    assertAlert(await monitored.run(), 'log_invalid', message)
    overrides.set(`/log/${path}`, (response) => response.writeHead(404).end())
    assertAlert(await monitored.run(), 'log_invalid', /does not serve/)
    overrides.clear()
    assertFine(await monitored.run(), 300, 300)
  }
})

test('a full tile replaces a partial one that the log has deleted', async () => {
  await using monitored = await monitoredLog(healthy(200))
  const { overrides, note } = monitored.log
  monitored.log.entries = healthy(256)
  overrides.set('/log/checkpoint', (response) => response.end(note(healthy(200))))
  for (const path of ['tile/0/000.p/200', 'tile/entries/000.p/200'])
    overrides.set(`/log/${path}`, (response) => response.writeHead(404).end())
  assertFine(await monitored.run(), 200, 200)
})

test('a response that is too large is an alert and is not read to its end', async () => {
  await using monitored = await monitoredLog(healthy(3))
  for (const path of ['/log/checkpoint', '/log/tile/0/000.p/3', '/.well-known/jwks.json']) {
    let sent = 0
    monitored.log.overrides.set(path, (response) => {
      const part = Buffer.alloc(1_000_000)
      const more = (): void => {
        sent += part.length
        if (response.writable) response.write(part, more)
      }
      more()
    })
    assertAlert(await monitored.run(), 'log_invalid', /returned more than \d+ bytes/)
    assert.ok(sent < 50_000_000)
    monitored.log.overrides.clear()
  }
})

test('two receipts for one job are an alert, in one run and in two', async () => {
  await using monitored = await monitoredLog([keyAdded(), receipt('a'), receipt('b')])
  assertFine(await monitored.run(), 3, 3)
  monitored.log.entries.push(receipt('a', { name: 'a again' }))
  const run = await monitored.run()
  assertAlert(run, 'job_twice', /^leaf 3: a second receipt, [0-9a-f]{64}, for the job of leaf 1$/)
  assert.equal(run.lines[0]?.['index'], 3)
  assertFine(await monitored.run(), 4, 0)
  monitored.log.entries.push(receipt('c'), receipt('c', { name: 'c again' }))
  assertAlert(await monitored.run(), 'job_twice', /for the job of leaf 4/)
})

test('a receipt is an alert if its key was not logged before, or is not published', async () => {
  await using monitored = await monitoredLog([receipt('a'), keyAdded(), receipt('b')])
  assertAlert(await monitored.run(), 'unknown_kid', /^leaf 0: .* was not added to the log before/)
  monitored.log.entries.push(keyAdded(OTHER_X), receipt('c', { x: OTHER_X }))
  assertAlert(
    await monitored.run(),
    'unknown_kid',
    new RegExp(`^leaf 4: .*${thumbprint(OTHER_X)}.* not publish`),
  )
  monitored.log.keys = [KEY_X, OTHER_X]
  monitored.log.entries.push(receipt('d', { x: OTHER_X }))
  assertFine(await monitored.run(), 6, 1)
})

test('a leaf of an unknown version or kind is an alert, and the leaves after it are checked', async () => {
  const strange = [
    '{"kind":"receipt","leaf_version":"kitseal-leaf-2"}',
    '{"kind":"other"}',
    '\u202e\u001b[2J',
    '',
  ]
  await using monitored = await monitoredLog([keyAdded(), receipt('a'), ...strange.map(utf8), receipt('a')])
  const { code, alerts, lines } = await monitored.run()
  assert.deepEqual(alerts, ['leaf_invalid', 'leaf_invalid', 'leaf_invalid', 'leaf_invalid', 'job_twice'])
  assert.equal(code, 1)
  assert.equal(lines.at(-1)?.['status'], 'ALERT')
})

test('a hostile log causes a limited number of alerts', async () => {
  await using monitored = await monitoredLog(Array.from({ length: 700 }, (_, at) => utf8(`x${at}`)))
  const { alerts, lines } = await monitored.run()
  assert.equal(alerts.length, 101)
  assert.equal(lines[100]?.['message'], 'and 600 more')
})

test('a checkpoint must be signed with the pinned key', async () => {
  await using monitored = await monitoredLog(healthy(2))
  assert.match((await monitored.run()).stderr, /^First use of .*: pinned the log key 127.0.0.1/)
  assert.equal((await monitored.run()).stderr, '')
  const impostor = { ...testLogKey('other'), key: { ...testLogKey('other').key, name: monitored.log.origin } }
  const { name, keyId } = impostor.key
  monitored.log.signer = { ...impostor, sign: (text) => ({ ...testLogKey('other').sign(text), name, keyId }) }
  assertAlert(await monitored.run(), 'log_invalid', /not signed with the key of the followed log/)
  for (const content of ['', 'not a note', '\n\n— a b\n']) {
    monitored.log.overrides.set('/log/checkpoint', (response) => response.end(content))
    assertAlert(await monitored.run(), 'log_invalid', /is malformed/)
  }
})

test('a state belongs to one log: another key or another issuer is a usage error', async () => {
  await using monitored = await monitoredLog(healthy(2))
  const policyOf = (key: string): string => {
    const path = join(monitored.folder, 'policy')
    writeFileSync(path, `log ${key}\nquorum none\n`)
    return path
  }
  assert.equal((await monitored.run('--policy', policyOf(monitored.log.vkey))).code, 0)
  const other = await monitored.run('--policy', policyOf(vkey(testLogKey('other').key)))
  assert.equal(other.code, 2)
  assert.match(JSON.stringify(other.lines), /The key of a log never changes/)
  const { code, lines } = await runMonitor('http://127.0.0.1:1', '--state', monitored.state)
  assert.equal(code, 2)
  assert.match(JSON.stringify(lines), /Use another --state/)
  writeFileSync(join(monitored.folder, 'text'), 'this is no database at all, but text'.repeat(99))
  const damaged = await runMonitor(monitored.log.issuer, '--state', join(monitored.folder, 'text'))
  assert.equal(damaged.code, 2)
})

test('a log that cannot be read is exit code 4', async () => {
  await using monitored = await monitoredLog(healthy(2))
  for (const status of [404, 500]) {
    monitored.log.overrides.set('/log/checkpoint', (response) => response.writeHead(status).end())
    const { code, alerts } = await monitored.run()
    assert.deepEqual({ code, alerts }, { code: 4, alerts: ['log_unreachable'] })
  }
  monitored.log.overrides.clear()
  assertFine(await monitored.run(), 2, 2)
})

test('a log that limits its rate is read when it allows that', async () => {
  await using monitored = await monitoredLog(healthy(2))
  let left = 5
  monitored.log.overrides.set('/log/tile/0/000.p/2', (response) => {
    if (--left === 0) monitored.log.overrides.clear()
    response.writeHead(429, { 'retry-after': '0' }).end()
  })
  assertFine(await monitored.run(), 2, 2)
  monitored.log.overrides.set('/log/checkpoint', (response) => {
    left++
    response.writeHead(429, { 'retry-after': '0' }).end()
  })
  assert.equal((await monitored.run()).code, 4)
  assert.equal(left, 10)
})

test('wrong usage is exit code 2', async () => {
  const issuer = 'https://issuer.example'
  for (const options of [
    [],
    ['issuer.example'],
    ['http://issuer.example'],
    [issuer, 'more'],
    [issuer, '--max-age', '1'],
    [issuer, '--policy', 'missing'],
    [issuer, '--unknown'],
  ])
    assert.equal((await runMonitor(...options)).code, 2, options.join(' '))
})

test('the evidence of a fork is two valid checkpoints of one log', async () => {
  await using monitored = await monitoredLog(healthy(3))
  await monitored.run()
  monitored.log.entries = [...healthy(2), receipt('x')]
  const { evidence } = await monitored.run()
  const [one, two] = evidence.map((path) => parseCheckpoint(readFileSync(path)))
  assert.equal(one?.size, two?.size)
  assert.notDeepEqual(one?.root, two?.root)
})
