import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  LOG_PROOF_PATH,
  type LogPolicy,
  parseCertificates,
  parseCheckpoint,
  parseJwks,
  parsePolicy,
  parseStrictJson,
  parseTlogProof,
  signatureLine,
  TIME_STAMP_PATH,
  type Trust,
  trustKeys,
  utf8,
  verifyCheckpoint,
  verifyKit,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { startWitness } from '../../../test/kit/witness.ts'
import { testWitness } from '../../../kit/test/make-log.ts'
import { serve } from '../serve.ts'
import { type HostileWitness, hostileWitness } from '../../../test/kit/hostile-witness.ts'
import { timeStampAuthority } from '../../../test/kit/time-stamp-authority.ts'
import { workspaceClient } from '../../../test/kit/workspace.ts'
import { issuedKit, type TestService, testService } from '../../../test/kit/service.ts'
import { needs } from '../../../test/kit/needs.ts'

const { digest } = nodeHost
const folder = mkdtempSync(join(tmpdir(), 'kitseal-witnesses-'))
after(() => rmSync(folder, { recursive: true }))

function policyFile(text: string): string {
  const file = join(folder, 'witnesses.policy')
  writeFileSync(file, text)
  return file
}

const cosign = (name: string): HostileWitness['behave'] => {
  const signer = testWitness(name)
  return ({ checkpoint }) => ({
    body: signatureLine(signer.cosign(checkpoint.text, Math.floor(Date.now() / 1000))),
  })
}

const readPolicy = async ({ call }: TestService): Promise<LogPolicy> =>
  parsePolicy((await call('/log/policy')).bytes, digest)

async function verify(
  { call, dataFolder }: TestService,
  kitId: string,
  logPolicy: LogPolicy,
  more: Partial<Trust> = {},
) {
  const file = join(dataFolder, 'kit.zip')
  writeFileSync(file, (await call(`/v1/kits/${kitId}/download`)).bytes)
  const keys = parseJwks(parseStrictJson((await call('/.well-known/jwks.json')).bytes))
  assert.ok(keys.ok)
  return verifyKit(await openKit(file), { ...trustKeys(keys.value), logPolicy, ...more }, nodeHost)
}

test('with KITSEAL_PROOF=require a kit waits for its quorum, and then verifies with the published policy', async () => {
  await using real = await startWitness([])
  await using second = await hostileWitness(() => ({ status: 500 }))
  await using third = await hostileWitness(() => undefined)
  const lines = [
    `witness real ${vkey(real.key)} ${real.url}`,
    `witness second ${vkey(testWitness('second').key)} ${second.url}`,
    `witness third ${vkey(testWitness('third').key)} ${third.url}`,
    'group two 2 real second third',
    'quorum two',
    '',
  ].join('\n')
  await using service = await testService({
    KITSEAL_WITNESS_POLICY: policyFile(lines),
    KITSEAL_PROOF: 'require',
    TEST_PROOF_WAIT_MS: '1000',
  })
  const policy = await readPolicy(service)
  real.learn(policy.logs[0]!.key)
  const { json } = await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'first kit' })
  const jobId = String(json['job_id'])
  while (!second.requests.some(({ checkpoint }) => checkpoint.size === 2))
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await service.call(`/v1/intake/jobs/${jobId}`)).json['status'], 'PASS')
  second.behave = cosign('second')
  const kitId = await issuedKit(service.call, jobId)

  const report = await verify(service, kitId, policy)
  assert.deepEqual(report.errors, [])
  assert.equal(report.checks.find(({ check }) => check === 'log_is_witnessed')?.result, 'pass')
  const stricter = parsePolicy(utf8(lines.replace('two 2', 'two 3')), digest)
  const refused = await verify(service, kitId, { ...stricter, logs: policy.logs })
  assert.match(refused.errors.join(), /^log_quorum_not_met: 2 of 3 witnesses cosigned/)

  third.behave = cosign('third')
  for (const path of ['/log/checkpoint', `/v1/kits/${kitId}/log-proof`]) {
    const { bytes } = await service.call(path)
    const checkpoint = path.endsWith('proof') ? parseTlogProof(bytes).checkpoint : parseCheckpoint(bytes)
    const status = await verifyCheckpoint(checkpoint, policy, nodeHost)
    assert.ok(status.is === 'signed' && status.quorumMet, path)
  }
  const metrics = await service.metrics()
  const value = (name: string, witness: string): number =>
    Number(new RegExp(`^${name}\\{witness="${witness}"\\} (\\S+)$`, 'm').exec(metrics)?.[1])
  assert.equal(value('kitseal_witness_size', 'second'), 2)
  assert.ok(value('kitseal_witness_last_cosigned_seconds', 'second') > 1.7e9)
  assert.ok(value('kitseal_witness_failures_total', 'second') >= 1)
  assert.match(service.log(), /the witness second did not cosign: it returned 500/)
})

test('with best effort, witnesses that hang, lie or send garbage hold up no kit, and none of it is in a proof', async () => {
  const [hang, lie, garbage] = [
    await hostileWitness(() => undefined),
    await hostileWitness(({ checkpoint }) => ({
      body: signatureLine(testWitness('lie').cosign(checkpoint.text.replace(/\n\d+\n/, '\n7\n'), 1)),
    })),
    await hostileWitness(() => ({ body: '\u0000'.repeat(100_000) })),
  ]
  await using stack = new AsyncDisposableStack()
  for (const witness of [hang, lie, garbage]) stack.use(witness)
  const lines = Object.entries({ hang, lie, garbage }).map(
    ([name, { url }]) => `witness ${name} ${vkey(testWitness(name).key)} ${url}\n`,
  )
  await using service = await testService({
    KITSEAL_WITNESS_POLICY: policyFile(`${lines.join('')}quorum hang\n`),
    TEST_PROOF_WAIT_MS: '100',
  })
  const { kitId } = await service.issue()
  const policy = await readPolicy(service)
  const { checkpoint } = parseTlogProof((await service.call(`/v1/kits/${kitId}/log-proof`)).bytes)
  assert.equal(checkpoint.signatures.length, 1)
  assert.deepEqual(
    await verify(service, kitId, { ...policy, quorum: undefined }).then(({ errors }) => errors),
    [],
  )
  const report = await verify(service, kitId, policy)
  assert.equal(report.verdict, 'sender_unconfirmed')
})

test(
  'a kit contains the time-stamp of its checkpoint, which openssl verifies too',
  needs('openssl'),
  async () => {
    await using authority = await timeStampAuthority()
    await using service = await testService({
      KITSEAL_TSA_URL: authority.url,
      KITSEAL_TSA_ROOTS: authority.rootsFile,
      KITSEAL_PROOF: 'require',
    })
    const { kitId } = await service.issue()
    const timePolicy = { roots: parseCertificates(readFileSync(authority.rootsFile)) }
    const report = await verify(service, kitId, await readPolicy(service), { timePolicy })
    assert.deepEqual(report.errors, [])
    assert.equal(report.checks.find(({ check }) => check === 'time_is_confirmed')?.result, 'pass')
    using kit = await openKit(join(service.dataFolder, 'kit.zip'))
    const [proof, stamp] = [await kit.read(LOG_PROOF_PATH, 65_536), await kit.read(TIME_STAMP_PATH, 65_536)]
    writeFileSync(join(folder, 'checkpoint'), parseTlogProof(proof!).checkpoint.text)
    writeFileSync(join(folder, 'time.tsr'), stamp!)
    const files = ['-data', 'checkpoint', '-in', 'time.tsr', '-CAfile', authority.rootsFile]
    const { status, stderr } = spawnSync('openssl', ['ts', '-verify', ...files], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    assert.equal(authority.requests.length, new Set(authority.requests.map(String)).size)
    const metrics = await service.metrics()
    assert.match(metrics, /^kitseal_time_stamp_last_seconds [1-9]/m)
  },
)

test('checkpoints that no authority stamped are counted in the metrics', async () => {
  await using service = await testService({
    KITSEAL_TSA_URL: 'http://127.0.0.1:9',
    TEST_PROOF_WAIT_MS: '0',
  })
  await service.issue()
  const metrics = await service.metrics()
  assert.match(metrics, /^kitseal_time_stamps_missing [1-9]/m)
  assert.match(metrics, /^kitseal_time_stamp_last_seconds 0$/m)
})

test('when a witness has seen more than the database, the log is frozen and no kit is issued', async () => {
  await using witness = await hostileWitness(cosign('w'))
  const lines = `witness w ${vkey(testWitness('w').key)} ${witness.url}\nquorum none\n`
  await using service = await testService({ KITSEAL_WITNESS_POLICY: policyFile(lines) })
  const { kitId } = await service.issue()
  witness.behave = () => ({ status: 409, type: 'text/x.tlog.size', body: '999\n' })
  const { json } = await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'second kit' })
  while ((await service.call('/readyz')).status === 200) await new Promise((done) => setTimeout(done, 20))
  assert.match(
    JSON.stringify((await service.call('/readyz')).json),
    /the witness w has cosigned 999 leaves of this log/,
  )
  assert.equal((await service.call(`/v1/intake/jobs/${String(json['job_id'])}`)).json['status'], 'PASS')
  const { status } = await service.call(`/v1/kits/${kitId}/log-proof`)
  assert.equal(status, 200, 'what was issued stays readable')
  assert.ok(parseCheckpoint((await service.call('/log/checkpoint')).bytes).size >= 2)
})

test('an export of the audit log says how many events its witnesses have not confirmed', async () => {
  await using witness = await hostileWitness(cosign('w'))
  const lines = `witness w ${vkey(testWitness('w').key)} ${witness.url}\nquorum w\n`
  await using service = await testService({ KITSEAL_WITNESS_POLICY: policyFile(lines) })
  const acme = await workspaceClient(service)
  const exported = async () => {
    const { headers, bytes } = await acme.get('/v1/audit/export')
    const [, name] = /filename="(.*)"/.exec(headers.get('content-disposition') ?? '') ?? []
    return {
      name,
      unconfirmed: headers.get('x-unconfirmed-events'),
      lines: `${bytes}`.split('\n').length - 2,
    }
  }
  const { lines: count, ...all } = await exported()
  assert.deepEqual(all, { name: `audit-log-${count}.jsonl`, unconfirmed: '0' })
  witness.behave = () => ({ status: 500 })
  await acme.submission()
  const late = { name: `audit-log-${count}-of-${count + 1}.jsonl`, unconfirmed: '1', lines: count }
  assert.deepEqual(await exported(), late)
})

test('a policy that cannot be used stops the start with a plain message', async () => {
  const KITSEAL_WITNESS_POLICY = policyFile(`witness w ${vkey(testWitness('w').key)}\nquorum w\n`)
  const [code, said] = await start({ KITSEAL_WITNESS_POLICY })
  assert.deepEqual([code, said.split('\n').length], [1, 2], said)
  assert.match(said, /^kitseal: the witness policy \S+ cannot be used: the witness w has no URL\. Add it at/)
  const [usage, problem] = await start({ KITSEAL_PROOF: 'require' })
  assert.equal(usage, 2)
  assert.match(
    problem,
    /KITSEAL_PROOF is require, but neither KITSEAL_WITNESS_POLICY nor KITSEAL_TSA_URL is set/,
  )
  const tsa = { KITSEAL_TSA_URL: 'http://127.0.0.1:9', KITSEAL_TSA_ROOTS: KITSEAL_WITNESS_POLICY }
  const [failed, why] = await start(tsa)
  assert.deepEqual([failed, why.split('\n').length], [1, 2], why)
  assert.match(
    why,
    /^kitseal: the certificates in \S+ \(KITSEAL_TSA_ROOTS\) cannot be used: there is no certificate/,
  )
})

/** The exit code, and what was printed. */
async function start(settings: Readonly<Record<string, string>>): Promise<readonly [number, string]> {
  let said = ''
  const env = { KITSEAL_DATA: join(folder, 'data'), KITSEAL_PORT: '0', ...settings }
  const stderr = { write: (text: string) => (said += text) }
  const code = await serve({ env, flags: {}, stdout: stderr, stderr, stopped: Promise.resolve() })
  return [code, said]
}
