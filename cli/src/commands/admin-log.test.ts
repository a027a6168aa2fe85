import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { vkey } from '@kitseal/kit'
import { openStore, readConfig, type Service, startService } from '@kitseal/server'
import { testWitness } from '../../../kit/test/make-log.ts'
import { freezeLog } from '../../../server/src/log/freeze-log.ts'
import { run as monitor } from './monitor.ts'
import { run } from './admin.ts'

/** A service that is started on a data folder several times, with its high-water mark outside. */
async function newPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-admin-log-'))
  const at = (name: string): string => join(folder, name)
  const env = {
    KITSEAL_DATA: at('data'),
    KITSEAL_LOG_MARK: at('marks'),
    KITSEAL_PORT: '0',
    KITSEAL_LOG_ORIGIN: 'issuer.example/log',
    KITSEAL_LOG_LEVEL: 'silent',
    HOME: folder,
  }
  const call = async (command: typeof run, args: readonly string[]) => {
    const said = { stdout: '', stderr: '' }
    const exitCode = await command(args, {
      env,
      stdout: { write: (text) => (said.stdout += text) },
      stderr: { write: (text) => (said.stderr += text) },
    })
    return { ...said, exitCode }
  }
  return {
    at,
    env,
    kitseal: (...args: readonly string[]) => call(run, ['log', ...args]),
    monitor: (...args: readonly string[]) => call(monitor, args),
    json: async (...args: readonly string[]) =>
      JSON.parse((await call(run, ['log', ...args, '--json'])).stdout) as Readonly<Record<string, unknown>>,
    set: (settings: Readonly<Record<string, string>>) => void Object.assign(env, settings),
    /** Runs the service meanwhile. */
    serve: async (work: (service: Service) => Promise<void>): Promise<void> => {
      const config = readConfig(env)
      assert.ok(config.ok)
      const service = await startService(config.value, {
        log: { write: () => {} },
        clock: { now: () => Date.now() },
      })
      await work(service).finally(() => service.stop())
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function issue({ address }: Service): Promise<void> {
  const created = await fetch(`${address}/v1/intake/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'one kit' }),
  })
  const { job_id } = (await created.json()) as { job_id: string }
  for (let status = ''; status !== 'ISSUED';) {
    const job = await fetch(`${address}/v1/intake/jobs/${job_id}`)
    ;({ status } = (await job.json()) as { status: string })
  }
}

test('an old data folder is frozen, recovered from the mirror of a monitor, and resumed', async () => {
  await using place = await newPlace()
  assert.deepEqual((await place.kitseal('status')).exitCode, 2, 'no data')
  await place.serve(issue)
  cpSync(place.at('data'), place.at('old'), { recursive: true })
  await place.serve(async (service) => {
    await issue(service)
    const { exitCode, stderr } = await place.monitor(
      service.address,
      '--mirror',
      place.at('mirror'),
      '--state',
      place.at('state'),
    )
    assert.equal(exitCode, 0, stderr)
  })
  const fine = await place.kitseal('status')
  assert.equal(fine.exitCode, 0)
  assert.match(
    fine.stdout,
    /^origin {3}issuer\.example\/log\nkey {6}issuer\.example\/log\+.*\nsize {5}3 leaves, since .*\nroot {5}.{44}\nwaiting {2}0 leaves\nmark {5}3 leaves\n {9}\/.*\nfrozen {3}no\n\nNothing to do\.\n$/,
  )
  rmSync(place.at('data'), { recursive: true })
  cpSync(place.at('old'), place.at('data'), { recursive: true })
  await place.serve(async () => {})

  const frozen = await place.kitseal('status')
  assert.equal(frozen.exitCode, 1)
  assert.match(
    frozen.stderr,
    /frozen {3}since .*: the database has 2 leaves of the log, but 3 were signed\n\nRun "kitseal admin log recover --from DIR"/,
  )
  const refused = await place.kitseal('resume')
  assert.deepEqual([refused.exitCode, refused.stdout], [1, ''])
  assert.match(
    refused.stderr,
    /^The log stays frozen: the database has 2 leaves.*\nRun "kitseal admin log recover/,
  )
  assert.equal((await place.json('resume'))['refused'], 'log_behind')
  const exported = await place.kitseal('export', place.at('export'))
  assert.equal(exported.exitCode, 1)
  assert.match(exported.stderr, /No checkpoint is signed at the moment: the log is frozen/)

  const recovered = await place.kitseal('recover', '--from', place.at('mirror'))
  assert.equal(recovered.exitCode, 0, recovered.stderr)
  assert.match(
    recovered.stdout,
    /^Recovered 1 leaf: the log has 3 now\.\nIssued, but not in this database: 1 kit\.\nThe log is still frozen\. Run "kitseal admin log resume"\.\n$/,
  )
  assert.deepEqual(await place.json('resume'), { resumed: true, size: 3 })
  assert.equal((await place.kitseal('resume')).stdout, 'The log is not frozen. Nothing was changed.\n')
  await place.serve(async (service) => {
    await issue(service)
    const { exitCode, stderr } = await place.monitor(
      service.address,
      '--mirror',
      place.at('mirror'),
      '--state',
      place.at('other state'),
    )
    assert.equal(exitCode, 0, `the monitor sees one history: ${stderr}`)
  })
  const all = await place.kitseal('export', place.at('export'))
  assert.match(all.stdout, /^Exported 4 leaves to .* \(3 new files\)\.\n$/)
  assert.deepEqual(readdirSync(place.at('export')).toSorted(), ['checkpoint', 'tile'])
})

test('a lost mark freezes the log, and the operator has to assert that nothing is missing', async () => {
  await using place = await newPlace()
  await place.serve(issue)
  rmSync(place.at('marks'), { recursive: true })
  await place.serve(async () => {})
  const status = await place.json('status')
  assert.deepEqual((status['mark'] as { problem: string }).problem, 'missing')
  assert.match(JSON.stringify(status['frozen']), /its high-water mark is missing/)
  const refused = await place.kitseal('resume')
  assert.equal(refused.exitCode, 1)
  assert.match(
    refused.stderr,
    /the high-water mark is missing\.\nSet KITSEAL_LOG_MARK .*--nothing-newer-was-signed/,
  )
  assert.equal((await place.kitseal('resume', '--nothing-newer-was-signed')).exitCode, 0)
  await place.serve(issue)
  assert.equal((await place.kitseal('status')).exitCode, 0)
})

test('wrong usage is reported before anything is opened', async () => {
  await using place = await newPlace()
  for (const args of [['recover'], ['export'], ['resume', 'now'], ['thaw'], ['status', '--from', 'x']])
    assert.equal((await place.kitseal(...args)).exitCode, 2, args.join(' '))
  assert.match((await place.kitseal('recover')).stderr, /--from is required/)
  assert.match((await place.kitseal('--help')).stdout, /^usage: kitseal admin log status/)
})

test('resume asks the witnesses, and refuses if one of them knows more', async () => {
  await using place = await newPlace()
  await place.serve(issue)
  const { size } = await place.json('status')
  await using answers = await witness()
  const { key } = testWitness('w.example')
  writeFileSync(place.at('policy'), `witness w ${vkey(key)} ${answers.url}\nquorum w\n`)
  const config = readConfig(place.env)
  assert.ok(config.ok)
  await using store = await openStore(config.value)
  await freezeLog(store.db, 'for this test', store.clock)
  place.set({ KITSEAL_WITNESS_POLICY: place.at('policy') })
  answers.reply = { status: 409, type: 'text/x.tlog.size', body: `${Number(size) + 7}\n` }
  const refused = await place.kitseal('resume')
  assert.equal(refused.exitCode, 1)
  assert.match(
    refused.stderr,
    /^The log stays frozen: the witness w has cosigned \d+ leaves, but the database has \d+\.\nRun "kitseal admin log recover/,
  )
  assert.equal((await place.json('resume'))['refused'], 'witness_ahead')
  answers.reply = { status: 503, type: 'text/plain', body: '' }
  const resumed = await place.kitseal('resume')
  assert.equal(resumed.exitCode, 0)
  assert.match(resumed.stdout, /^No answer from the witness w: .*503.*\nThe log continues at /)
})

/** A witness that answers as it is told. */
async function witness() {
  const reply = { status: 200, type: 'text/plain', body: '' }
  const server = createServer((_, response) => {
    response
      .writeHead(answering.reply.status, { 'content-type': answering.reply.type })
      .end(answering.reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answering = {
    reply,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return answering
}
