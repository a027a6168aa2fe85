// A log with a witness that remembers every checkpoint: services are killed while they extend it, and two share it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  parseCheckpoint,
  parsePolicy,
  parseTlogProof,
  signatureLine,
  utf8,
  verifyCheckpoint,
  vkey,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { testWitness } from '../../kit/test/make-log.ts'
import { LOG_STEPS, type Step } from '../src/runtime/steps.ts'
import { checkedClient } from '../../test/kit/http.ts'
import { onEachDatabase } from './each-database.ts'
import { type ServiceProcess, serviceProcess } from '../../test/kit/service-process.ts'

/** How often to go through all steps. By default only those that 1 does not have, or not there. */
const ROUNDS = Number(process.env['KITSEAL_LOG_CRASHES'] ?? 0)
const DEFAULT_STEPS = {
  SQLite: ['job passed', 'mark recorded', 'checkpoint stored'],
  PostgreSQL: ['job passing', 'log extended', 'checkpoint storing'],
} as const satisfies Record<string, readonly Step[]>
const JOBS = 6

onEachDatabase(({ name, create }) => {
  const steps = ROUNDS === 0 ? DEFAULT_STEPS[name] : Array.from({ length: ROUNDS }, () => LOG_STEPS).flat()

  test('killed at each step of sequencing, a log never signs two histories, and every job is issued', async () => {
    await using database = await create()
    await using witness = await rememberingWitness()
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-crash-log-'))
    const killFile = join(folder, 'kill-at')
    writeFileSync(join(folder, 'policy'), `witness w ${witness.vkey} ${witness.url}\nquorum w\n`)
    const settings = {
      KITSEAL_DATA: join(folder, 'data'),
      KITSEAL_LOG_MARK: join(folder, 'mark'),
      KITSEAL_ISSUER: 'http://issuer.example',
      KITSEAL_OPEN_INTAKE: 'on',
      KITSEAL_LEASE_SECONDS: '2',
      KITSEAL_LOG_LEVEL: 'error',
      KITSEAL_WITNESS_POLICY: join(folder, 'policy'),
      KITSEAL_PROOF: 'require',
      KILL_FILE: killFile,
      NODE_OPTIONS: `--import=${new URL('./die-at-step.ts', import.meta.url).href}`,
      ...database.settings,
    }
    const jobs: string[] = []
    let service = await serviceProcess(settings)
    for (const step of steps) {
      // The first kit is issued, so that only the next leaf reaches the step.
      await issued(service, await submit(service))
      writeFileSync(killFile, step)
      jobs.push(await submit(service))
      assert.equal(await service.ended(), 'SIGKILL', `the service reached "${step}"`)
      rmSync(killFile)
      service = await serviceProcess(settings)
    }

    const other = name === 'SQLite' ? undefined : await serviceProcess(settings)
    const nodes = other === undefined ? [service] : [service, other]
    for (let count = 0; count < JOBS; count++)
      jobs.push(...(await Promise.all(nodes.map((node) => submit(node)))))
    const call = checkedClient(service.base)
    const policy = parsePolicy((await call('/log/policy')).bytes, nodeHost.digest)
    for (const jobId of jobs) {
      const { bytes } = await call(`/v1/kits/${await issued(service, jobId)}/log-proof`)
      const status = await verifyCheckpoint(parseTlogProof(bytes).checkpoint, policy, nodeHost)
      assert.ok(status.is === 'signed' && status.quorumMet, JSON.stringify(status))
    }
    for (const node of nodes) assert.equal(await node.end('SIGTERM'), 0)
    assert.ok(witness.texts.size >= steps.length)
    for (const [size, texts] of witness.texts) assert.equal(texts.size, 1, `one checkpoint of size ${size}`)
    rmSync(folder, { recursive: true })
  })
})

async function submit({ base }: ServiceProcess): Promise<string> {
  const created = await fetch(`${base}/v1/intake/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'kit' }),
  })
  return ((await created.json()) as { job_id: string }).job_id
}

/** Polls rarely: after a kill, the lease of the sequencer ends first. */
async function issued({ base }: ServiceProcess, jobId: string): Promise<string> {
  for (;;) {
    const job = (await (await fetch(`${base}/v1/intake/jobs/${jobId}`)).json()) as Record<string, string>
    if (job['status'] === 'ISSUED') return job['kit_id'] ?? ''
    await sleep(250)
  }
}

/** Cosigns whatever it is sent, and remembers the texts of each size. */
async function rememberingWitness() {
  const witness = testWitness('w.example')
  const texts = new Map<number, Set<string>>()
  const server = createServer((asked, answer) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (text: string) => (body += text))
    asked.on('end', () => {
      const { text, size } = parseCheckpoint(utf8(body.slice(body.indexOf('\n\n') + 2)))
      texts.set(size, (texts.get(size) ?? new Set()).add(text))
      answer.end(signatureLine(witness.cosign(text, Math.floor(Date.now() / 1000))))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    texts,
    vkey: vkey(witness.key),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
