import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Config, openStore } from '../index.ts'
import { checkedClient } from '../../../test/kit/http.ts'
import { serviceProcess } from '../../../test/kit/service-process.ts'
import { ownDatabase } from '../../../test/kit/databases.ts'
import { testConfig } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'
import { clientOf, form, workspaceClient } from '../../../test/kit/workspace.ts'

const SUBMISSIONS = 6

test(
  'after crashes during uploads and work, accepted submissions become kits, others are PENDING, and no files are left over',
  { timeout: 120_000 },
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
    await using database = await ownDatabase()
    const settings = { ...database.settings, KITSEAL_DATA: data, KITSEAL_LOG_LEVEL: 'error' }
    const first = await serviceProcess(settings)
    const client = await workspaceClient({
      dataFolder: data,
      config: testConfig(settings),
      call: checkedClient(first.base),
    })
    const accepted: string[] = []
    for (let count = 0; count < SUBMISSIONS; count += 1) accepted.push(await client.submission())
    const cut = await client.submission()
    const upload = startUnfinishedUpload(first.base, cut, client.key)
    await Promise.all(accepted.map((id) => client.upload(id, form({ 'a.txt': `evidence of ${id}` }))))
    await until(() => globSync('objects/tmp/*', { cwd: data }).length > 0)
    assert.equal(await first.end('SIGKILL'), 'SIGKILL')
    upload.destroy()

    const second = await serviceProcess(settings)
    const again = clientOf({ call: checkedClient(second.base) }, client.workspaceId, client.key)
    for (const id of accepted) assert.equal((await again.ended(id))['status'], 'PASS')
    const record = (await again.get(`/v1/submissions/${cut}`)).json
    assert.deepEqual([record['status'], record['evidence']], ['PENDING', []])
    assert.deepEqual(globSync('objects/tmp/*', { cwd: data }), [])
    assert.deepEqual(await again.credits(), { available: 10 - SUBMISSIONS, held: 0 })
    assert.equal((await again.upload(cut, form({ 'a.txt': 'second try' }))).status, 202)
    assert.equal((await again.ended(cut))['status'], 'PASS')
    assert.equal(await second.end('SIGTERM'), 0)
    await assertNoOrphans(testConfig(settings))
    rmSync(data, { recursive: true })
  },
)

/** Starts an upload and never finishes it. */
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

/** Every referenced object exists. Orphans can only come from interrupted attempts to seal a kit. */
async function assertNoOrphans(config: Config): Promise<void> {
  await using store = await openStore(config)
  const { db } = store
  const kits = await db.selectFrom('kits').select('entries').execute()
  const evidence = await db.selectFrom('evidence').select('sha256').execute()
  const named = new Set([
    ...evidence.map(({ sha256 }) => sha256),
    ...kits.flatMap(({ entries }) =>
      (JSON.parse(entries) as { object: string }[]).map(({ object }) => object),
    ),
  ])
  const there = globSync('objects/??/*', { cwd: config.dataFolder }).map((path) => path.slice(-64))
  assert.deepEqual(
    [...named].filter((name) => !there.includes(name)),
    [],
  )
  const unnamed = there.filter((name) => !named.has(name))
  assert.ok(unnamed.length <= 2, `${unnamed.length} orphaned objects: at most one per worker`)
}
