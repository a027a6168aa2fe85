import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { UPLOAD_STEPS } from '../runtime/steps.ts'
import { checkedClient } from '../../../test/kit/http.ts'
import { type ServiceProcess, serviceProcess } from '../../../test/kit/service-process.ts'
import { ownDatabase, type TestDatabase } from '../../../test/kit/databases.ts'
import { ownPlaces } from '../../../test/kit/service.ts'
import { testConfig } from '../../../test/kit/service.ts'
import { tusClient } from '../../../test/kit/tus.ts'
import { until } from '../../../test/kit/until.ts'
import { clientOf, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'

const MIB = 1024 * 1024
const content = Buffer.from('one line of a log\n'.repeat(600_000)).subarray(0, 10 * MIB)
/** More than is saved at once. */
const long = Buffer.from('one line of a log\n'.repeat(2_400_000)).subarray(0, 40 * MIB)

const data = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
const killFile = join(data, 'kill-at')
let database: TestDatabase
let settings: Readonly<Record<string, string>>
let service: ServiceProcess | undefined
let owner: WorkspaceClient

before(async () => {
  database = await ownDatabase()
  settings = { KITSEAL_DATA: data, KITSEAL_LOG_LEVEL: 'error', ...database.settings, ...ownPlaces() }
  const { base } = await running()
  owner = await workspaceClient({
    dataFolder: data,
    config: testConfig(settings),
    call: checkedClient(base),
  })
})
after(async () => {
  await service?.end('SIGTERM')
  await database[Symbol.asyncDispose]()
  rmSync(data, { recursive: true })
})

for (const step of UPLOAD_STEPS)
  test(`killed at "${step}": acknowledged bytes are kept, and the file becomes evidence once`, async () => {
    const { client, tus } = await connected()
    const id = await client.submission()
    const path = await tus.upload(id, 'app.log', content.length)
    const half = 9 * MIB + 7
    assert.equal((await tus.append(path, 0, content.subarray(0, half))).status, 204)
    writeFileSync(killFile, step)
    await tus.append(path, half, content.subarray(half)).catch(() => undefined)
    assert.equal(await service?.ended(), 'SIGKILL', 'the service reached the step')
    service = undefined
    rmSync(killFile)
    await completes(id, path, content, half)
  })

test('killed in the middle of a request: it continues at the last saved offset', async () => {
  const { client, tus } = await connected()
  const id = await client.submission()
  const path = await tus.upload(id, 'app.log', long.length)
  const { socket } = tus.startAppending(path, 0, [`content-length: ${long.length}`])
  socket.write(long.subarray(0, 38 * MIB))
  await until(async () => (await tus.offset(path)) > 0)
  await service?.end('SIGKILL')
  service = undefined
  socket.destroy()
  await completes(id, path, long, 32 * MIB)
})

/** A new process continues the upload, and the file is there once. */
async function completes(id: string, path: string, whole: Buffer, atLeast: number): Promise<void> {
  const { client, tus } = await connected()
  const offset = await tus.offset(path)
  assert.ok(offset >= atLeast, `${offset} bytes are there`)
  if (offset < whole.length) {
    const { status, json } = await tus.append(path, offset, whole.subarray(offset))
    assert.equal(status, 204, JSON.stringify(json))
  }
  const record = (await client.get(`/v1/submissions/${id}`)).json
  const evidence = record['evidence'] as readonly { readonly name: string; readonly sha256: string }[]
  const sha256 = createHash('sha256').update(whole).digest('hex')
  assert.deepEqual(
    evidence.map((one) => [one.name, one.sha256]),
    [['app.log', sha256]],
  )
}

async function connected() {
  const { base } = await running()
  const call = checkedClient(base)
  const client = clientOf({ call }, owner.workspaceId, owner.key)
  return { client, tus: tusClient({ call, base }, client) }
}

async function running(): Promise<ServiceProcess> {
  service ??= await serviceProcess({
    ...settings,
    KILL_FILE: killFile,
    NODE_OPTIONS: `--import=${new URL('../../test/die-at-step.ts', import.meta.url).href}`,
  })
  return service
}
