import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { signatureLine, vkey } from '@kitseal/kit/internal'
import { openStore, readConfig, type Service, startService } from '@kitseal/server'
import { testWitness } from '../../../kit/test/make-log.ts'
import { type HostileWitness, hostileWitness } from '../../../test/kit/hostile-witness.ts'
import { until } from '../../../test/kit/until.ts'
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
  const call = async (command: typeof run, args: readonly string[], answer?: string) => {
    const said = { stdout: '', stderr: '' }
    const terminal = {
      env,
      stdout: { write: (text: string | Uint8Array) => (said.stdout += text) },
      stderr: { isTTY: answer !== undefined, write: (text: string | Uint8Array) => (said.stderr += text) },
      stdin: keyboard(answer ?? ''),
    }
    const exitCode = await command(args, terminal)
    return { ...said, exitCode }
  }
  return {
    at,
    env,
    kitseal: (...args: readonly string[]) => call(run, ['log', ...args]),
    /** Runs the command of a section of the runbook, word by word, and answers its question. */
    followRunbook: (section: string, answer = 'y') => {
      const words = RUNBOOK.split(`\n### ${section}\n`)[1]
        ?.split('\n##')[0]
        ?.match(/```\nkitseal admin (.*)\n```/)?.[1]
      assert.ok(words !== undefined, section)
      return call(run, words.replace('DIR', at('mirror')).split(' '), answer)
    },
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
    freeze: async (reason: string): Promise<void> => {
      const config = readConfig(env)
      assert.ok(config.ok)
      await using store = await openStore(config.value)
      await freezeLog(store.db, reason, store.clock)
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

type Place = Awaited<ReturnType<typeof newPlace>>

const RUNBOOK = readFileSync(new URL('../../../docs/how-to/back-up-and-upgrade.md', import.meta.url), 'utf8')

/** A person at a terminal who types this answer. */
const keyboard = (answer: string) => ({
  isTTY: true,
  setRawMode: () => {},
  setEncoding: () => {},
  on: (_: 'data', listener: (text: string) => void) => void queueMicrotask(() => listener(`${answer}\r`)),
  off: () => {},
  resume: () => {},
  pause: () => {},
})

async function issue({ address }: Service): Promise<void> {
  const created = await fetch(`${address}/v1/intake/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'one kit' }),
  })
  const { job_id } = (await created.json()) as { job_id: string }
  await until(async () => {
    const job = await fetch(`${address}/v1/intake/jobs/${job_id}`)
    return ((await job.json()) as { status: string }).status === 'ISSUED'
  })
}

/** A service that issued two kits, with a mirror of its log and a copy of the data after the first. */
async function withOldData(place: Place): Promise<void> {
  await place.serve(issue)
  cpSync(place.at('data'), place.at('old'), { recursive: true })
  cpSync(place.at('marks'), place.at('old marks'), { recursive: true })
  await place.serve(async (service) => {
    await issue(service)
    await mirror(place, service, 'state')
  })
}

async function mirror(place: Place, { address }: Service, state: string): Promise<void> {
  const folders = ['--mirror', place.at('mirror'), '--state', place.at(state)]
  const { exitCode, stderr } = await place.monitor(address, ...folders)
  assert.equal(exitCode, 0, stderr)
}

function putBack(place: Place, ...names: readonly ('data' | 'marks')[]): void {
  for (const name of names) {
    rmSync(place.at(name), { recursive: true })
    cpSync(place.at(name === 'data' ? 'old' : 'old marks'), place.at(name), { recursive: true })
  }
}

/** Kits are issued again, and the monitor sees one history. */
async function continues(place: Place): Promise<void> {
  assert.equal((await place.kitseal('status')).exitCode, 0)
  await place.serve(async (service) => {
    await issue(service)
    await mirror(place, service, 'other state')
  })
}

test('an old data folder is frozen, and the runbook repairs it from the mirror of a monitor', async () => {
  await using place = await newPlace()
  assert.deepEqual((await place.kitseal('status')).exitCode, 2, 'no data')
  await withOldData(place)
  const fine = await place.kitseal('status')
  assert.equal(fine.exitCode, 0)
  assert.match(
    fine.stdout,
    /^origin +issuer\.example\/log\nvkey +issuer\.example\/log\+.*\nsize +3\n[^]*\nfrozen +-\nnext +Nothing to do\.\n$/,
  )
  putBack(place, 'data')
  // Also before a service has looked at it.
  assert.equal((await place.json('repair'))['refused'], 'log_behind')
  await place.serve(async () => {})

  const frozen = await place.kitseal('status')
  assert.equal(frozen.exitCode, 1)
  assert.match(
    frozen.stderr,
    /frozen +since .*, reason the database has 2 leaves of the log, but 3 were signed\nnext +Run "kitseal admin log repair --from DIR"/,
  )
  const refused = await place.followRunbook('One command')
  assert.deepEqual([refused.exitCode, refused.stdout], [1, ''])
  assert.match(
    refused.stderr,
    /^The log is frozen since .*: the database has 2 leaves.*\nThe database has 2 leaves\. Signed were 3 leaves or more\.\nNothing was changed\.\nRun "kitseal admin log repair --from DIR" with a copy of the log that has at least 3 leaves/,
  )
  const exported = await place.kitseal('export', place.at('export'))
  assert.equal(exported.exitCode, 1)
  assert.match(exported.stderr, /No checkpoint is signed at the moment: the log is frozen/)

  const declined = await place.followRunbook('The database has less than was signed', 'n')
  assert.deepEqual([declined.exitCode, declined.stdout], [1, ''])
  assert.match(
    declined.stderr,
    /This will\n- add the leaves after 2 from .*Continue\? \[y\/N\] n\nNothing was changed/s,
  )
  const unasked = await place.json('repair', '--from', place.at('mirror'))
  assert.equal(unasked['refused'], 'not_confirmed')

  const repaired = await place.followRunbook('The database has less than was signed')
  assert.equal(repaired.exitCode, 0, repaired.stderr)
  assert.match(
    repaired.stdout,
    /^Recovered 1 leaf: the log has 3 now\.\nIssued, but not in this database: 1 kit\.\nThe log continues at 3 leaves\./,
  )
  assert.equal((await place.kitseal('repair')).stdout, 'The log is not frozen. Nothing to repair.\n')
  await continues(place)
  const all = await place.kitseal('export', place.at('export'))
  assert.match(all.stdout, /^Exported 4 leaves to .* \(3 new files\)\.\n$/)
  assert.deepEqual(readdirSync(place.at('export')).toSorted(), ['checkpoint', 'tile'])
})

test('a log that is only frozen, as after a restore, continues by the runbook', async () => {
  await using place = await newPlace()
  await place.serve(issue)
  await place.freeze('the database was restored from a backup')
  const repaired = await place.followRunbook('After a restore or a move')
  assert.equal(repaired.exitCode, 0, repaired.stderr)
  assert.match(
    repaired.stderr,
    /restored from a backup\.\nThe database has 2 leaves\. Signed were 2 leaves or more\.\nThis will/,
  )
  assert.equal(
    repaired.stdout,
    'The log continues at 2 leaves. A running service issues kits within seconds.\n',
  )
  await place.freeze('again')
  assert.deepEqual(await place.json('repair', '--yes'), { repaired: true, recovered: null, size: 2 })
  await place.serve(issue)
})

test('a lost mark freezes the log, and the operator has to assert that nothing is missing', async () => {
  await using place = await newPlace()
  await place.serve(issue)
  rmSync(place.at('marks'), { recursive: true })
  await place.serve(async () => {})
  const status = await place.json('status')
  assert.deepEqual((status['mark'] as { problem: string }).problem, 'missing')
  assert.match(JSON.stringify(status['frozen']), /its high-water mark is missing/)
  const refused = await place.followRunbook('One command')
  assert.equal(refused.exitCode, 1)
  assert.match(
    refused.stderr,
    /its high-water mark is missing\.\n.*\nNothing was changed\.\nSet KITSEAL_LOG_MARK .*--nothing-newer-was-signed/,
  )
  assert.equal((await place.followRunbook('The mark is lost')).exitCode, 0)
  await place.serve(issue)
  assert.equal((await place.kitseal('status')).exitCode, 0)
})

test('wrong usage is reported before anything is opened', async () => {
  await using place = await newPlace()
  for (const args of [['recover'], ['resume'], ['export'], ['repair', 'now'], ['status', '--from', 'x']])
    assert.equal((await place.kitseal(...args)).exitCode, 2, args.join(' '))
  assert.match((await place.kitseal('--help')).stdout, /^usage: kitseal admin log status/)
})

test('a whole machine that was put back is frozen by its witness, and repaired by the runbook', async () => {
  await using place = await newPlace()
  await using witness = await hostileWitness(cosign)
  writeFileSync(
    place.at('policy'),
    `witness w ${vkey(testWitness('w.example').key)} ${witness.url}\nquorum w\n`,
  )
  place.set({ KITSEAL_WITNESS_POLICY: place.at('policy') })
  await withOldData(place)
  const { size } = (await place.json('status')) as { size: number }
  // It cosigns nothing smaller than what it has seen.
  witness.behave = (request, response) =>
    request.checkpoint.size < size
      ? { status: 409, type: 'text/x.tlog.size', body: `${size}\n` }
      : cosign(request, response)
  putBack(place, 'data', 'marks')
  await place.serve(async ({ address }) => {
    await until(async () => (await fetch(`${address}/readyz`)).status === 503)
  })
  const refused = await place.followRunbook('One command')
  assert.equal(refused.exitCode, 1)
  assert.match(
    refused.stderr,
    /the witness w has cosigned 3 leaves of this log, but the database has 2\.\nThe database has 2 leaves\. Signed were 3 leaves or more\.\nNothing was changed\.\nRun "kitseal admin log repair --from DIR"/,
  )
  assert.match((await place.kitseal('status')).stderr, /Run "kitseal admin log repair --from DIR"/)
  const repaired = await place.followRunbook('A witness knows more')
  assert.equal(repaired.exitCode, 0, repaired.stderr)
  assert.match(repaired.stdout, /^Recovered 1 leaf: the log has 3 now\.[^]*The log continues at 3 leaves\./)
  await continues(place)
})

test('the witnesses are asked before the log continues, and it stays frozen if one of them knows more', async () => {
  await using place = await newPlace()
  await place.serve(issue)
  const { size } = (await place.json('status')) as { size: number }
  await using witness = await hostileWitness(cosign)
  writeFileSync(
    place.at('policy'),
    `witness w ${vkey(testWitness('w.example').key)} ${witness.url}\nquorum w\n`,
  )
  await place.freeze('for this test')
  place.set({ KITSEAL_WITNESS_POLICY: place.at('policy') })
  witness.behave = () => ({ status: 409, type: 'text/x.tlog.size', body: `${size + 7}\n` })
  const refused = await place.kitseal('repair', '--yes')
  assert.equal(refused.exitCode, 1)
  assert.match(
    refused.stderr,
    /The log stays frozen: the witness w has cosigned \d+ leaves of this log, but the database has \d+\.\nRun "kitseal admin log repair --from DIR"/,
  )
  assert.equal((await place.json('repair', '--yes'))['refused'], 'witness_ahead')
  witness.behave = () => ({ status: 503 })
  const resumed = await place.kitseal('repair', '--yes')
  assert.equal(resumed.exitCode, 0)
  assert.match(resumed.stdout, /\nNo answer from the witness w: .*503.*\nThe log continues at /)
})

const cosign: HostileWitness['behave'] = ({ checkpoint }) => ({
  body: signatureLine(testWitness('w.example').cosign(checkpoint.text, Math.floor(Date.now() / 1000))),
})
