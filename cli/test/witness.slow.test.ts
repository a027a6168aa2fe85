// What takes longer: a witness that is killed at any time, the order of sync and answer, and the trees of another program.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCheckpoint, parsePolicy, parseVkey, utf8, verifyCheckpoint, vkey } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { createWitnessFolder } from '../src/witness/witness-folder.ts'
import { torchwoodPrograms } from './litewitness.ts'
import { witnessProcess } from './witness-process.ts'
import { witnessedLog } from './witnessed-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-witness-'))
after(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)

test('a witness that is killed at any time never signs a smaller tree or another root', async () => {
  const [log, fork] = ['first', 'second'].map((history) => witnessedLog('issuer.example/log', history))
  await createWitnessFolder(at('killed'), 'w.example', undefined)
  writeFileSync(at('logs'), `${vkey(log!.signer.key)}\n`)
  let cosigned = 0
  for (let round = 0; round < 8; round++) {
    await using witness = await witnessProcess(at('killed'), at('logs'))
    const found = Number(/cosigned size (\d+)/.exec(witness.welcome)?.[1])
    assert.ok(found >= cosigned, `it had cosigned ${cosigned} and remembers ${found}`)
    cosigned = found
    const killed = sleep(100 + round * 130).then(() => witness.end('SIGKILL'))
    for (let size = cosigned + 1; ; size++) {
      const reply = await witness.post(await log!.body(cosigned, size)).catch(() => undefined)
      if (reply === undefined) break
      assert.equal(reply.status, 200)
      cosigned = size
    }
    await killed
  }
  assert.ok(cosigned > 8, `${cosigned}`)
  await using witness = await witnessProcess(at('killed'), at('logs'))
  const last = Number(/cosigned size (\d+)/.exec(witness.welcome)?.[1])
  assert.ok(last === cosigned || last === cosigned + 1)
  assert.equal((await witness.post(await log!.body(last - 1, last))).text, `${last}\n`)
  assert.equal((await witness.post(await fork!.body(last, last))).status, 422)
})

test('the cosigned size is synced to disk before the answer is sent', async (context) => {
  if (spawnSync('strace', ['-V']).status !== 0) return context.skip('strace is not installed: NOT tested')
  const log = witnessedLog('issuer.example/log')
  await createWitnessFolder(at('traced'), 'w.example', undefined)
  writeFileSync(at('logs'), `${vkey(log.signer.key)}\n`)
  await using witness = await witnessProcess(at('traced'), at('logs'))
  const tracer = await trace(witness.child.pid!, at('trace'))
  assert.equal((await witness.post(await log.body(0, 7))).status, 200)
  await tracer()
  const calls = readFileSync(at('trace'), 'utf8')
  const [synced, answered] = [calls.search(/f(?:data)?sync\(/), calls.indexOf('HTTP/1.1 200')]
  assert.ok(synced >= 0 && synced < answered, calls)
})

/** Traces a process; the result ends the tracer. */
async function trace(pid: number, file: string): Promise<() => Promise<void>> {
  const calls = 'trace=fsync,fdatasync,write,writev,sendto,sendmsg'
  const tracer = spawn('strace', ['-f', '-p', String(pid), '-e', calls, '-s', '80', '-o', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  for await (const text of tracer.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text
    if (said.includes('attached')) break
  }
  return async () => {
    const ended = new Promise((resolve) => tracer.once('exit', resolve))
    tracer.kill('SIGINT')
    await ended
  }
}

const programs = torchwoodPrograms()
const skip = programs === '' ? 'torchwood is not available here: the exchange with it was NOT tested' : false

test('checkpoints that torchwood signs are cosigned', { skip }, async () => {
  mkdirSync(at('assets'))
  const run = (...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync(
      join(programs, 'spicy-torchwood'),
      ['-key', 'log.key', '-assets', 'assets', ...args],
      { cwd: folder, encoding: 'utf8' },
    )
    assert.equal(status, 0, stderr)
    return stdout + stderr
  }
  const init = run('-init', 'example.com/spicy')
  const logKey = /Public key: (\S+)/.exec(init)?.[1] ?? ''
  writeFileSync(at('spicy-logs'), `log ${logKey}\n`)
  await createWitnessFolder(at('spicy'), 'w.example', undefined)
  await using witness = await witnessProcess(at('spicy'), at('spicy-logs'))
  const file = join(folder, 'file.txt')
  writeFileSync(file, 'content\n')
  run('file.txt')
  const proof = readFileSync(`${file}.spicy`, 'utf8')
  const note = proof.slice(proof.indexOf('\n\n') + 2)
  const reply = await witness.post(`old 0\n\n${note}`)
  assert.equal(reply.status, 200, reply.text)
  assert.equal(parseVkey(witness.vkey, nodeHost.digest).type, 4)
  const policy = parsePolicy(utf8(`log ${logKey}\nwitness w ${witness.vkey}\nquorum w\n`), nodeHost.digest)
  const result = await verifyCheckpoint(parseCheckpoint(utf8(note + reply.text)), policy, nodeHost)
  assert.ok(result.is === 'signed' && result.quorumMet)
})

test('a witness that cannot write cosigns nothing, stops, and continues from the last size when restarted', async (context) => {
  if (spawnSync('prlimit', ['--version']).status !== 0)
    return context.skip('prlimit is not installed: NOT tested')
  const log = witnessedLog('issuer.example/log')
  await createWitnessFolder(at('full'), 'w.example', undefined)
  writeFileSync(at('logs'), `${vkey(log.signer.key)}\n`)
  {
    await using witness = await witnessProcess(at('full'), at('logs'))
    assert.equal((await witness.post(await log.body(0, 7))).status, 200)
    const limit = ['--pid', String(witness.child.pid), '--fsize=4096']
    assert.equal(spawnSync('prlimit', limit).status, 0)
    const ended = new Promise((resolve) => witness.child.once('exit', resolve))
    const reply = await witness.post(await log.body(7, 9))
    assert.equal(reply.status, 503)
    assert.doesNotMatch(reply.text, /—/)
    assert.equal(await ended, 1)
    assert.match(witness.stderr(), /kitseal witness: stopped: /)
  }
  await using witness = await witnessProcess(at('full'), at('logs'))
  assert.match(witness.welcome, /cosigned size 7/)
  assert.equal((await witness.post(await log.body(7, 9))).status, 200)
})
