import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { run as get } from './commands/get.ts'
import { run as status } from './commands/status.ts'

const EXPIRED = {
  submission_id: 'sub_1',
  workspace_id: 'ws_1',
  label: 'Q3 access review',
  status: 'EXPIRED',
  job_id: 'job_1',
  kit_id: 'kit_1',
  profile: 'general',
  created_at: '2026-01-01T10:00:00.000Z',
  updated_at: '2026-02-01T10:00:00.000Z',
  evidence: [],
  accept: [],
  blockers: [],
  findings: [],
  hold: null,
  erasure: null,
  key_revoked_at: null,
  replaces: null,
  replaced_by: null,
  credits_charged: 1,
  deliverables: { 'manifest.json': '/m', 'receipt.json': '/r' },
  boundary: 'Integrity and issuance evidence only.',
}

const MESSAGE =
  'The evidence of this submission was deleted on 2026-02-01 under the retention rule. Manifest and receipt remain.'

test('status and get say that retention deleted the evidence', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(EXPIRED))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const shown = await output(status, ['sub_1', '--wait', '--url', url])
    assert.equal(shown.exitCode, 0)
    assert.match(shown.stdout, /^status +Expired$/m)
    assert.ok(shown.stdout.includes(MESSAGE), shown.stdout)
    const refused = await output(get, ['sub_1', '--url', url])
    assert.equal(refused.exitCode, 2)
    assert.ok(refused.stderr.includes(MESSAGE), refused.stderr)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

async function output(run: typeof status, args: readonly string[]) {
  const written = { stdout: '', stderr: '' }
  const exitCode = await run(args, {
    env: { KITSEAL_API_KEY: 'ks_test' },
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  })
  return { ...written, exitCode }
}
