import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseCheckpoint, parsePolicy, utf8, verifyCheckpoint, vkey } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { main } from '../src/main.ts'
import { witnessedLog } from './witnessed-log.ts'
import { witnessProcess } from './witness-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-witness-'))
after(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
const log = witnessedLog('issuer.example/log')
const fork = witnessedLog(log.origin, 'second')
const logs = at('logs.txt')
writeFileSync(logs, `log ${vkey(log.signer.key)} https://issuer.example/log\nquorum none\n`)

async function kitseal(
  args: readonly string[],
  env = {},
): Promise<{ code: number; out: string; err: string }> {
  const texts = { out: '', err: '' }
  const code = await main(args, {
    env,
    stdout: { write: (text: string) => (texts.out += text) },
    stderr: { write: (text: string) => (texts.err += text) },
  })
  return { code, ...texts }
}

test('a witness that was created cosigns, survives kill -9 and never goes back', async () => {
  const data = at('w1')
  const { code, out } = await kitseal(['witness', 'init', 'witness.example/w1', '--data', data])
  assert.equal(code, 0)
  const { vkey: key } = await (async () => {
    await using witness = await witnessProcess(data, logs)
    assert.ok(out.includes(witness.vkey))
    assert.equal(readFileSync(join(data, 'witness.vkey'), 'utf8'), `${witness.vkey}\n`)
    assert.match(witness.welcome, /issuer\.example\/log, cosigned size 0/)
    for (const [oldSize, size] of [
      [0, 3],
      [3, 7],
    ] as const)
      assert.equal((await witness.post(await log.body(oldSize, size))).status, 200)
    assert.deepEqual(await witness.end('SIGKILL'), [null, 'SIGKILL'])
    return witness
  })()
  await using witness = await witnessProcess(data, logs)
  assert.equal(witness.vkey, key)
  assert.match(witness.welcome, /cosigned size 7/)
  assert.deepEqual(await witness.post(await log.body(0, 3)), {
    status: 409,
    type: 'text/x.tlog.size',
    text: '7\n',
  })
  assert.equal((await witness.post(await log.body(3, 7))).text, '7\n')
  assert.equal((await witness.post(await fork.body(7, 7))).status, 422)
  assert.equal((await witness.post(await fork.body(7, 9))).status, 422)
  const reply = await witness.post(await log.body(7, 9))
  const policy = `log ${vkey(log.signer.key)}\nwitness w ${key}\nquorum w\n`
  const checkpoint = parseCheckpoint(utf8((await log.note(9)) + reply.text))
  const status = await verifyCheckpoint(checkpoint, parsePolicy(utf8(policy), nodeHost.digest), nodeHost)
  assert.ok(status.is === 'signed' && status.quorumMet)
  assert.ok(Math.abs(Date.now() / 1000 - status.since!) < 60)

  const kept = readdirSync(data).filter((name) => name.startsWith('fork-'))
  assert.equal(kept.length, 2)
  assert.match(
    witness.stderr(),
    /a log has signed two histories\. Proof: .*-cosigned\.note, .*-refused\.note/,
  )

  const program = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
  const second = spawnSync(
    process.execPath,
    [program, 'witness', '--data', data, '--logs', logs, '--port', '0'],
    {
      encoding: 'utf8',
      timeout: 120_000,
    },
  )
  assert.equal(second.status, 2)
  assert.match(second.stderr, /is in use: this witness is already running/)
  assert.deepEqual(await witness.end('SIGTERM'), [0, null])
})

test('only the owner can read the key, and a passphrase encrypts it', async () => {
  const data = at('w2')
  const env = { KITSEAL_KEY_PASSPHRASE: 'correct horse' }
  await kitseal(['witness', 'init', 'witness.example/w2', '--data', data], env)
  assert.equal(statSync(join(data, 'witness.key')).mode & 0o777, 0o600)
  assert.match(readFileSync(join(data, 'witness.key'), 'utf8'), /ENCRYPTED/)
  const { code, err } = await kitseal(['witness', '--data', data, '--logs', logs])
  assert.equal(code, 2)
  assert.match(err, /passphrase is needed\. Set KITSEAL_KEY_PASSPHRASE\./)
})

test('a witness without its database, or with the key of another, does not start', async () => {
  for (const name of ['w3', 'w4']) await kitseal(['witness', 'init', `${name}.example`, '--data', at(name)])
  renameSync(at('w3/witness.sqlite'), at('lost.sqlite'))
  const lost = await kitseal(['witness', '--data', at('w3'), '--logs', logs])
  assert.deepEqual([lost.code, /contains no witness/.test(lost.err)], [2, true])
  renameSync(at('w4/witness.key'), at('w3/witness.key'))
  renameSync(at('lost.sqlite'), at('w3/witness.sqlite'))
  const swapped = await kitseal(['witness', '--data', at('w3'), '--logs', logs])
  assert.deepEqual([swapped.code, /is not the key that/.test(swapped.err)], [2, true])
})

test('mistakes are explained', async () => {
  await kitseal(['witness', 'init', 'w5.example', '--data', at('w5')])
  writeFileSync(at('witnesses.txt'), readFileSync(at('w5/witness.vkey')))
  writeFileSync(at('empty.txt'), '')
  const mistakes: readonly (readonly [args: readonly string[], problem: RegExp])[] = [
    [[], /--data is required[^]*--logs is required/],
    [['--data', at('w5')], /--logs is required: a file with the vkeys of the logs/],
    [['init', '--data', at('new')], /pass a name for the witness, such as/],
    [['init', 'https://w.example', '--data', at('new')], /leave out "https:\/\/"/],
    [['init', 'w example', '--data', at('new')], /white space/],
    [['init', 'w.example', '--data', at('w5')], /is not empty/],
    [['init', 'w.example', '--data', at('new'), '--logs', logs], /init does not take --logs/],
    [['init', 'w.example', 'more', '--data', at('new')], /unexpected argument "more"/],
    [['start', '--data', at('w5'), '--logs', logs], /unexpected argument "start"/],
    [['--data', at('w5'), '--logs', at('none.txt')], /cannot read .*none\.txt/],
    [['--data', at('w5'), '--logs', at('empty.txt')], /lists no logs/],
    [['--data', at('w5'), '--logs', at('witnesses.txt')], /not the key of a log, but of a witness/],
    [['--data', at('new'), '--logs', logs], /contains no witness\. Create one with "kitseal witness init"/],
    [['--data', at('w5'), '--logs', logs, '--port', 'http'], /--port must be a number from 0 to 65535/],
    [['--data', at('w5'), '--logs', logs, '--rate', '-1'], /--rate must be a number/],
    [['--data', at('w5'), '--logs', logs, '--host', '192.0.2.1'], /cannot listen on 192\.0\.2\.1/],
  ]
  for (const [args, problem] of mistakes) {
    const { code, out, err } = await kitseal(['witness', ...args])
    assert.deepEqual([code, out], [2, ''], args.join(' '))
    assert.match(err, problem)
  }
})
