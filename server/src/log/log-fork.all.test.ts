// Copies of a service with one log key, as a cloned machine or a dishonest operator would have them.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  LOG_PROOF_PATH,
  type LogPolicy,
  parseCheckpoint,
  parseJwks,
  parsePolicy,
  parseStrictJson,
  signatureLine,
  trustKeys,
  utf8,
  verifyKit,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { startLitewitness, torchwoodPrograms } from '../../../test/kit/litewitness.ts'
import { runMonitor } from '../../../cli/test/run-monitor.ts'
import { startWitness } from '../../../test/kit/witness.ts'
import { testWitness } from '../../../kit/test/make-log.ts'
import { checkedClient } from '../../../test/kit/http.ts'
import { type ServiceProcess, serviceProcess } from '../../../test/kit/service-process.ts'
import { issuedKit } from '../../../test/kit/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-fork-'))
const at = (name: string): string => join(folder, name)
const programs = torchwoodPrograms()
if (programs === '')
  console.log('torchwood is not available here: a witness of the tests stands in for litewitness')

const open = new AsyncDisposableStack()
/** The address of the issuer, which leads to one copy or another. */
const address = createServer((asked, answer) => {
  const forwarded = send(target + (asked.url ?? ''), { method: asked.method, headers: asked.headers })
  forwarded.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 500, response.headers)
    response.pipe(answer)
  })
  asked.pipe(forwarded)
})
let target = ''
let issuer: string
let policyText: string
let policy: LogPolicy
let evilPolicy: string

const settings = (name: string): Readonly<Record<string, string>> => ({
  KITSEAL_DATA: at(`${name}/data`),
  KITSEAL_LOG_MARK: at(`${name}/mark`),
  KITSEAL_ISSUER: issuer,
  KITSEAL_OPEN_INTAKE: 'on',
})

before(async () => {
  issuer = await listening(address)
  const first = await serviceProcess(settings('original'))
  await issue(first)
  const published = await read(first, '/log/policy')
  await first.end('SIGTERM')
  writeFileSync(at('logs.txt'), published)
  const { key } = parsePolicy(published, nodeHost.digest).logs[0]!
  const witnesses = [
    await honestWitness('w0', key, false),
    await honestWitness('w1', key, true),
    await honestWitness('w2', key, true),
    await evilWitness(),
  ]
  const lines = witnesses.map((witness, index) => `witness w${index} ${witness.vkey} ${witness.url}\n`)
  writeFileSync(at('witnesses.policy'), `${lines.join('')}group g 3 w0 w1 w2 w3\nquorum g\n`)
  evilPolicy = `${lines[3]}quorum w3\n`
  writeFileSync(at('evil.policy'), evilPolicy)
  policyText = `log ${vkey(key)}\n${readFileSync(at('witnesses.policy'), 'utf8')}`
  writeFileSync(at('reader.policy'), policyText)
  policy = parsePolicy(utf8(policyText), nodeHost.digest)
  for (const copy of ['clone', 'dishonest']) cpSync(at('original'), at(copy), { recursive: true })
})
after(async () => {
  await open.disposeAsync()
  address.closeAllConnections()
  address.close()
  rmSync(folder, { recursive: true })
})

test('of two services with one log key, only one gets its quorum, and the monitor keeps the evidence of a fork', async () => {
  const honest = {
    ...settings('original'),
    KITSEAL_WITNESS_POLICY: at('witnesses.policy'),
    KITSEAL_PROOF: 'require',
  }
  const original = await start(honest)
  const state = ['--state', at('monitor.sqlite'), '--policy', at('reader.policy')] as const
  const kits = [await issue(original), await issue(original)]
  for (const kitId of kits) assert.deepEqual((await verdictOf(original, kitId)).errors, [])
  target = original.base
  const calm = await runMonitor(issuer, ...state)
  assert.deepEqual([calm.code, calm.alerts], [0, []], calm.stderr)

  // A cloned machine: the witnesses know more than it does, so it stops.
  const clone = await start({ ...honest, ...settings('clone') })
  const { json } = await submit(clone)
  await until(async () => (await fetch(`${clone.base}/readyz`)).status === 503)
  const job = await (await fetch(`${clone.base}/v1/intake/jobs/${String(json['job_id'])}`)).json()
  assert.notEqual((job as { status: string }).status, 'ISSUED', 'no kit is issued on a fork')

  // A dishonest operator asks only a witness that cosigns everything.
  const dishonest = await start({
    ...settings('dishonest'),
    KITSEAL_WITNESS_POLICY: at('evil.policy'),
    KITSEAL_PROOF: 'require',
  })
  const forged = []
  for (let count = 0; count < kits.length; count++) forged.push(await issue(dishonest))
  for (const kitId of forged) {
    const { status, errors } = await verdictOf(dishonest, kitId)
    assert.equal(status, 'FAIL')
    assert.match(errors.join('\n'), /^log_quorum_not_met: 1 of 4 witnesses/, 'below the quorum')
  }
  target = dishonest.base
  const alarmed = await runMonitor(issuer, ...state)
  assert.equal(alarmed.code, 1)
  assert.ok(alarmed.alerts.includes('fork'), JSON.stringify(alarmed.alerts))
  const evidence = readdirSync(at('monitor.sqlite.evidence'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
  const roots = new Set(evidence.filter(isCheckpoint).map((note) => parseCheckpoint(note).root.join()))
  assert.ok(roots.size >= 2, 'both signed checkpoints are kept')
  target = original.base
  assert.deepEqual((await verdictOf(original, await issue(original))).errors, [], 'the original goes on')
})

function isCheckpoint(bytes: Uint8Array): boolean {
  try {
    return parseCheckpoint(bytes).size > 0
  } catch {
    return false
  }
}

async function start(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = await serviceProcess(environment)
  open.defer(async () => void (await service.end('SIGKILL')))
  return service
}

async function submit(service: ServiceProcess) {
  return checkedClient(service.base)('/v1/intake/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'kit' }),
  })
}

async function issue(service: ServiceProcess): Promise<string> {
  const { json } = await submit(service)
  return issuedKit(checkedClient(service.base), String(json['job_id']))
}

async function verdictOf(service: ServiceProcess, kitId: string) {
  writeFileSync(at('kit.zip'), await read(service, `/v1/kits/${kitId}/download`))
  const keys = parseJwks(parseStrictJson(await read(service, '/.well-known/jwks.json')))
  assert.ok(keys.ok)
  using kit = await openKit(at('kit.zip'))
  assert.ok(kit.files.some(({ path }) => path === LOG_PROOF_PATH))
  return await verifyKit(kit, { ...trustKeys(keys.value), logPolicy: policy }, nodeHost)
}

interface NamedWitness {
  readonly url: string
  readonly vkey: string
}

async function honestWitness(
  name: string,
  key: Parameters<typeof startLitewitness>[2],
  isOther: boolean,
): Promise<NamedWitness> {
  mkdirSync(at(name))
  if (isOther && programs !== '') return open.use(await startLitewitness(programs, at(name), key))
  return open.use(await startWitness([key], `${name}.example`))
}

/** Cosigns whatever it is sent. */
async function evilWitness(): Promise<NamedWitness> {
  const witness = testWitness('evil.example')
  const server = createServer((asked, answer) => {
    // It answers no questions of monitors.
    if (asked.method !== 'POST') return void answer.writeHead(404).end()
    let body = ''
    asked.setEncoding('utf8').on('data', (text: string) => (body += text))
    asked.on('end', () => {
      const { text } = parseCheckpoint(utf8(body.slice(body.indexOf('\n\n') + 2)))
      answer.end(signatureLine(witness.cosign(text, Math.floor(Date.now() / 1000))))
    })
  })
  const url = await listening(server)
  open.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url, vkey: vkey(witness.key) }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function read({ base }: ServiceProcess, path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(base + path)).arrayBuffer())
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100)
}
