import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkedClient } from '../../kit/http.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'
import { needs } from '../../kit/needs.ts'

// docs/reference/outgoing-connections.md

const folder = mkdtempSync(join(tmpdir(), 'kitseal-connections-'))
after(() => rmSync(folder, { recursive: true }))
const STRACE = needs('strace')
const MAIN = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

test(
  'with its default settings, the service connects to nothing while evidence is sealed, verified and shared',
  STRACE,
  async () => {
    assert.deepEqual(await connectionsOf('default', {}), [])
  },
)

test('a service with a time-stamp authority connects to that alone', STRACE, async () => {
  const authority = createServer((_request, response) => response.writeHead(500).end())
  await once(authority.listen(0, '127.0.0.1'), 'listening')
  const { port } = authority.address() as AddressInfo
  try {
    const settings = { KITSEAL_TSA_URL: `http://127.0.0.1:${port}`, TEST_PROOF_WAIT_MS: '500' }
    assert.deepEqual(await connectionsOf('time-stamps', settings), [`127.0.0.1:${port}`])
  } finally {
    authority.close()
  }
})

/** Where a service and its threads and processes connected or sent to, from its start to its end. */
async function connectionsOf(
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const trace = join(folder, `${name}.trace`)
  const dataFolder = join(folder, name)
  const watched = [
    '-I',
    '2',
    '--seccomp-bpf',
    '-f',
    '-qq',
    '-e',
    'trace=connect,sendto,sendmsg,sendmmsg',
    '-o',
    trace,
  ]
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    KITSEAL_PORT: '0',
    KITSEAL_METRICS_LISTEN: '127.0.0.1:0',
    KITSEAL_DATA: dataFolder,
    KITSEAL_LOG_LEVEL: 'error',
    ...settings,
  }
  const service = spawn('strace', [...watched, process.execPath, MAIN], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'exit')
  try {
    let output = ''
    service.stdout.on('data', (text) => (output += String(text)))
    while (!output.includes('Ctrl-C')) await once(service.stdout, 'data')
    await useIt(/address +(\S+)/.exec(output)?.[1] ?? '', dataFolder)
  } finally {
    // strace passes it on.
    service.kill('SIGTERM')
    await ended
  }
  const addresses = Array.from(
    readFileSync(trace, 'utf8').matchAll(/sin6?_port=htons\((\d+)\).*?"([^"]+)"/g),
    ([, port = '', address = '']) => `${address}:${port}`,
  )
  return [...new Set(addresses)]
}

async function useIt(base: string, dataFolder: string): Promise<void> {
  const client = await workspaceClient({ dataFolder, call: checkedClient(base) })
  const id = await client.submission()
  assert.equal(
    (await client.upload(id, form({ 'evidence.txt': 'See https://elsewhere.example/a.png' }))).status,
    202,
  )
  assert.equal((await client.ended(id))['status'], 'PASS')
  const headers = { 'x-api-key': client.key }
  const kit = await (
    await fetch(`${base}/v1/submissions/${id}/deliverables/kit.zip`, { headers })
  ).arrayBuffer()
  const verified = await fetch(`${base}/v1/verify/kit`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: kit,
  })
  assert.equal(((await verified.json()) as { status: string }).status, 'PASS')
  const kitId = String((await client.get(`/v1/submissions/${id}`)).json['kit_id'])
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const share = await client.post('/v1/shares', { kit_id: kitId, expires_at })
  assert.equal(share.status, 201)
  for (const path of ['/', '/verify', '/docs', '/docs/search?q=docker', '/readyz', '/log/checkpoint'])
    assert.ok((await fetch(base + path)).status < 500, path)
}
