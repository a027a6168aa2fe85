import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import * as kit from '../../../kit/src/internal.ts'
import { openBytes } from '../../../kit/test/make-kit.ts'
import { nodeHost } from '../../../kit/node/internal.ts'
import { readConfig, startService } from '../../../server/src/index.ts'
import { damagedBytes } from '../byte-mutations.ts'
import { CaseFailure, type Target } from '../target.ts'

const COMMAND = path.join(import.meta.dirname, '../../../cli/bin/kitseal.cjs')
const BODY = JSON.stringify({ tenant_id: 'fuzz', scope_label: 'a kit to be changed' })

/** A kit issued by a running service, then changed: service, command line and library give the same result. */
export async function serviceTarget(): Promise<Target> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-fuzz-'))
  const env = {
    KITSEAL_PORT: '0',
    KITSEAL_DATA: path.join(folder, 'data'),
    KITSEAL_RATE_LIMIT: 'off',
  }
  const config = readConfig({ ...env, KITSEAL_LOG_LEVEL: 'silent' })
  if (!config.ok) throw new Error(config.problems.join('; '))
  const service = await startService(config.value, {
    log: { write: () => true },
    clock: { now: () => Date.now() },
  })
  const issued = await issuedKit(service.address)
  const jwks = path.join(folder, 'jwks.json')
  const keys = await fetched(`${service.address}/.well-known/jwks.json`)
  writeFileSync(jwks, keys)
  const trust = kit.trustKeys(kit.parseStrictJson(keys) as unknown as kit.Jwks)

  async function byService(zip: Uint8Array): Promise<Verdict> {
    const headers = { 'content-type': 'application/zip' }
    const body = new Uint8Array(zip)
    const answer = await fetch(`${service.address}/v1/verify/kit`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, 'the service verifies any kit')
    return verdict((await answer.json()) as Verdict)
  }

  async function byCommand(zip: Uint8Array): Promise<Verdict> {
    const file = path.join(folder, 'kit.zip')
    writeFileSync(file, zip)
    const args = [COMMAND, 'verify', file, '--jwks', jwks, '--json']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    const found = verdict(JSON.parse(said) as Verdict)
    assert.equal(code, found.status === 'PASS' ? 0 : 1, 'the exit code matches the result')
    return found
  }

  return {
    name: 'service',
    run: async (random) => {
      const zip = random.oneIn(20) ? issued : damagedBytes(issued, random)
      const byEngine = verdict(await kit.verifyKit(await openBytes(zip), trust, nodeHost))
      try {
        assert.deepEqual(await byService(zip), byEngine, 'the service and the library disagree')
        assert.deepEqual(await byCommand(zip), byEngine, 'the command line and the library disagree')
        const unchanged = Buffer.compare(zip, issued) === 0
        assert.equal(byEngine.status, unchanged ? 'PASS' : 'FAIL', 'only the issued kit passes')
      } catch (error) {
        throw new CaseFailure(error instanceof Error ? error.message : String(error), zip)
      }
      return byEngine.status === 'PASS' ? 'accepted' : 'refused'
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

interface Verdict {
  readonly status: string
  readonly errors: readonly string[]
}

const verdict = ({ status, errors }: Verdict): Verdict => ({ status, errors })

async function fetched(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}

async function issuedKit(base: string): Promise<Buffer> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${base}/v1/intake/jobs`, { method: 'POST', headers, body: BODY })
  const { job_id } = (await answer.json()) as { readonly job_id: string }
  for (let turn = 0; turn < 3000; turn++) {
    const job = JSON.parse((await fetched(`${base}/v1/intake/jobs/${job_id}`)).toString()) as {
      kit_id?: string
    }
    if (typeof job.kit_id === 'string') return fetched(`${base}/v1/kits/${job.kit_id}/download`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no kit was issued')
}
