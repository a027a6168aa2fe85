import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pauseAfter } from '../../kit/until.ts'
import { admin, kitseal, type Ran } from '../../kit/command.ts'
import { needs } from '../../kit/needs.ts'
import { newDatabase, type PostgresServer, postgresServer, systemPostgres } from '../../kit/postgres.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

type Settings = Readonly<Record<string, string>>

describe('SQLite', () => declareTests(async () => ({})))
const { skip } = needs('pg_dump', 'psql')
const serverSkip =
  skip || (!existsSync(systemPostgres()) && 'the server of the version of pg_dump is not installed')
describe('PostgreSQL', { skip: serverSkip }, () => {
  let server: PostgresServer
  before(async () => {
    server = await postgresServer({}, systemPostgres())
  })
  declareTests(async () => ({
    KITSEAL_DATABASE_URL: await newDatabase(server.url),
    PATH: process.env['PATH'] ?? '',
  }))
  after(() => server[Symbol.asyncDispose]())
})

function declareTests(newPlace: () => Promise<Settings>): void {
  test('what was backed up is restored on a new machine, where the mark is lost, and signs again after a repair', async () => {
    await using scene = await openScene(newPlace)
    const place = await scene.emptyPlace({ KITSEAL_LOG_MARK: scene.at('new-marks') })
    const restored = await kitseal(['admin', 'restore', scene.at('backup')], { env: place })
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stdout, /^Restored the database of 20.* and \d+ objects\.\n/)

    const again = await kitseal(['admin', 'restore', scene.at('backup')], { env: place })
    assert.equal(again.code, 1)
    assert.match(again.stderr, /exists already|is not empty/)

    const repair = (...more: string[]): Promise<Ran> =>
      kitseal(['admin', 'log', 'repair', '--from', scene.at('log'), '--yes', ...more], { env: place })
    assert.equal((await repair()).code, 1, 'without a mark, only a person knows what was signed')
    const repaired = await repair('--nothing-newer-was-signed')
    assert.equal(repaired.code, 0, repaired.stderr)
    assert.match(repaired.stdout, /Recovered \d+ leaves/)
    await scene.worksAgain(place)
  })

  test('on the same machine the mark says what the backup lacks', async () => {
    await using scene = await openScene(newPlace)
    const place = await scene.emptyPlace({})
    assert.equal((await kitseal(['admin', 'restore', scene.at('backup')], { env: place })).code, 0)
    const repair = (...more: string[]): Promise<Ran> =>
      kitseal(['admin', 'log', 'repair', '--yes', ...more], { env: place })
    const behind = await repair()
    assert.equal(behind.code, 1)
    assert.match(behind.stderr, /with a copy of the log that has at least \d+ leaves/)
    assert.equal((await repair('--from', scene.at('log'))).code, 0)
    await scene.worksAgain(place)
  })

  test('a second backup copies what is new, and what was erased leaves it', async () => {
    await using scene = await openScene(newPlace)
    const objects = (): number =>
      readdirSync(scene.at('backup/objects'), { recursive: true }).filter((name) =>
        /[0-9a-f]{32}$/.test(String(name)),
      ).length
    const former = objects()
    const json = async (): Promise<Record<string, unknown>> =>
      JSON.parse((await admin(scene.service, 'backup', scene.at('backup'), '--json')).stdout)
    const second = await json()
    assert.deepEqual([second['present'], second['bad']], [former, []])
    assert.ok(Number(second['copied']) > 0)
    const headers = { 'x-api-key': scene.key }
    const path = `/v1/submissions/${scene.submissionId}`
    assert.equal((await scene.service.call(path, { method: 'DELETE', headers })).status, 204)
    const third = await json()
    assert.ok(Number(third['removed']) > 0, JSON.stringify(third))
    assert.equal(objects(), former + Number(second['copied']) - Number(third['removed']))
    for (const name of readdirSync(scene.at('backup'), { recursive: true }))
      assert.equal(statSync(scene.at(`backup/${String(name)}`)).mode & 0o077, 0, `${name}`)
  })
}

/** A service that issued kits before and after a backup, with another signing key since. It is stopped. */
async function openScene(newPlace: () => Promise<Settings>) {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-backup-'))
  const at = (name: string): string => join(folder, name)
  const service = await testService(await newPlace())
  const acme = await workspaceClient(service)
  const submissionId = await acme.submission()
  await acme.upload(submissionId, form({ 'policy.txt': 'policy text' }))
  const kitId = String((await acme.ended(submissionId))['kit_id'])
  await service.issue()
  const backup = await admin(service, 'backup', at('backup'))
  assert.equal(backup.code, 0, backup.stderr)
  assert.match(backup.stdout, /WARNING: the backup contains \d private keys\./)
  assert.ok(existsSync(at('backup/backup.json')))
  const { keys } = (await service.call('/.well-known/jwks.json')).json as { keys: readonly { kid: string }[] }
  assert.equal((await admin(service, 'signing-key', 'rotate')).code, 0)
  const newer = await newestReceipt(service, keys[0]?.kid ?? '')
  writeFileSync(at('jwks.json'), (await service.call('/.well-known/jwks.json')).bytes)
  assert.equal((await admin(service, 'log', 'export', at('log'))).code, 0)
  return {
    at,
    service,
    key: acme.key,
    submissionId,
    emptyPlace: async (settings: Settings): Promise<Settings> => ({
      KITSEAL_DATA: at('restored'),
      KITSEAL_ISSUER: service.base,
      KITSEAL_LOG_MARK: service.environment['KITSEAL_LOG_MARK'] ?? '',
      ...(await newPlace()),
      ...settings,
    }),
    /** Serves what it had, issues, and after an import knows the key of what was issued since. */
    async worksAgain(place: Settings): Promise<void> {
      await service.service.stop()
      await using restored = await testService(place)
      assert.equal((await restored.call('/readyz')).status, 200)
      const zip = await restored.call(`/v1/kits/${kitId}/download`, { headers: { 'x-api-key': acme.key } })
      assert.equal(zip.status, 200)
      await restored.issue()
      const isKnown = async (): Promise<unknown> =>
        (await restored.post('/v1/verify/receipt', newer)).json['kid_matched']
      assert.equal(await isKnown(), false)
      const imported = await kitseal(['admin', 'signing-key', 'import', at('jwks.json')], { env: place })
      assert.equal(imported.code, 0, imported.stderr)
      // A running service reads its keys again within a second.
      const until = Date.now() + 5000
      while (!(await isKnown()) && Date.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 100))
      assert.equal(await isKnown(), true)
    },
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Of a kit that the new key has signed: a running service reads its keys again within a second. */
async function newestReceipt(service: TestService, formerKid: string): Promise<string> {
  for (let looks = 0; ; looks += 1) {
    const { kitId } = await service.issue()
    const { bytes, json } = await service.call(`/v1/kits/${kitId}/receipt`)
    if (json['public_key_kid'] !== formerKid) return bytes.toString()
    await pauseAfter(looks)
  }
}
