// A real SIGKILL on each database, at a random moment under load. The points of a submission's life are in crash-points.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore, scrubObjects } from '@kitseal/server'
import { checkedClient } from '../kit/http.ts'
import { onEachDatabase } from '../kit/databases.ts'
import { serviceProcess } from '../kit/service-process.ts'
import { testConfig } from '../kit/service.ts'
import { until } from '../kit/until.ts'
import { clientOf, form, type WorkspaceClient, workspaceClient } from '../kit/workspace.ts'

const CLIENTS = 4
const CREDITS = 1000

onEachDatabase(({ create }) => {
  test('after SIGKILL under load, acknowledged evidence becomes one kit each, and no files are left over', async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
    t.after(() => rmSync(data, { recursive: true }))
    await using database = await create()
    const settings = {
      KITSEAL_LOG_LEVEL: 'error',
      TEST_LEASE_SECONDS: '2',
      ...database.settings,
      KITSEAL_DATA: data,
    }
    const config = testConfig(settings)
    const first = await serviceProcess(settings)
    const call = checkedClient(first.base)
    const client = await workspaceClient({ dataFolder: data, config, call }, { credits: CREDITS })
    const cut = await client.submission()
    const unfinished = startUnfinishedUpload(first.base, cut, client.key)
    const acknowledged: string[] = []
    const load = Array.from({ length: CLIENTS }, () => submitUntilCut(client, acknowledged))
    await until(() => globSync('objects/tmp/*', { cwd: data }).length > 0)
    const enough = 2 + Math.floor(Math.random() * 20)
    await until(() => acknowledged.length >= enough)
    assert.equal(await first.end('SIGKILL'), 'SIGKILL')
    unfinished.destroy()
    await Promise.all(load)

    const second = await serviceProcess(settings)
    const again = clientOf({ call: checkedClient(second.base) }, client.workspaceId, client.key)
    const kits = new Set<unknown>()
    for (const id of acknowledged) {
      const ended = await again.ended(id)
      assert.equal(ended['status'], 'PASS')
      kits.add(ended['kit_id'])
    }
    assert.equal(kits.size, acknowledged.length, 'no kit belongs to two submissions')
    const { json } = await again.get(`/v1/submissions/${cut}`)
    assert.deepEqual([json['status'], json['evidence']], ['PENDING', []])
    // Also those whose upload was not acknowledged end.
    await until(async () => (await again.credits()).held === 0)
    assert.deepEqual(globSync('objects/tmp/*', { cwd: data }), [], 'temporary files are removed')
    assert.equal(await second.end('SIGTERM'), 0)
    await using store = await openStore(config)
    for await (const { finding } of scrubObjects(store)) assert.equal(finding, undefined)
  })
})

/** Submits one file after the other until the service is killed. */
async function submitUntilCut(client: WorkspaceClient, acknowledged: string[]): Promise<void> {
  for (;;)
    try {
      const id = await client.submission()
      const { status } = await client.upload(id, form({ 'a.txt': `evidence of ${id}` }))
      assert.equal(status, 202)
      acknowledged.push(id)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
}

function startUnfinishedUpload(base: string, id: string, key: string) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    [
      `POST /v1/submissions/${id}/evidence HTTP/1.1`,
      'host: localhost',
      `x-api-key: ${key}`,
      'content-type: multipart/form-data; boundary=x',
      'content-length: 5000000',
      '',
      '--x',
      'Content-Disposition: form-data; name="file"; filename="half.txt"',
      '',
      'x'.repeat(1_000_000),
    ].join('\r\n'),
  )
  return socket
}
