import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type AccessFixture, accessFixture } from '../../kit/access-fixture.ts'
import { zipOf } from '../../../examiner/test/evidence-samples.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form } from '../../kit/workspace.ts'

const EVIDENCE = 'salary of Ada Lovelace: 1815'
const BROKEN = '{"password": "hunter-of-1815", '
const PASSPHRASE = 'a passphrase of forty characters, at least'

let service: TestService
let fixture: AccessFixture
const responses: string[] = []

/** A full run with many errors, at the most verbose log level. */
before(async () => {
  service = await testService({ KITSEAL_LOG_LEVEL: 'debug', KITSEAL_KEY_PASSPHRASE: PASSPHRASE })
  fixture = await accessFixture(service)
  const { owner, keys } = fixture
  for (const files of [
    { 'a.txt': EVIDENCE },
    { 'b.json': BROKEN },
    { 'e.zip': zipOf({ 'x.json': BROKEN, 'y.txt': EVIDENCE }) },
  ]) {
    const id = await owner.submission()
    assert.equal((await owner.upload(id, form(files))).status, 202)
    responses.push(JSON.stringify(await owner.ended(id)))
  }
  for (const key of Object.values(keys))
    for (const path of [
      '/v1/submissions',
      `/v1/submissions/${fixture.submissionId}`,
      '/v1/audit',
      '/v1/nowhere',
      '/readyz',
    ])
      responses.push(await textOf(path, key))
  const key = owner.key
  responses.push(await textOf(`/v1/submissions?api_key=${key}`, undefined))
  responses.push(await textOf(`/v1/kits/${key}/receipt`, undefined))
  for (const body of [
    BROKEN,
    JSON.stringify({ label: EVIDENCE.repeat(20) }),
    JSON.stringify({ [EVIDENCE]: 1 }),
  ])
    responses.push((await owner.post('/v1/submissions', body)).bytes.toString())
  const torn = `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${EVIDENCE}`
  const headers = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=x' }
  const url = `${service.base}/v1/submissions/${await owner.submission()}/evidence`
  responses.push(await (await fetch(url, { method: 'POST', headers, body: torn })).text())
})
after(() => service[Symbol.asyncDispose]())

async function textOf(path: string, key: string | undefined): Promise<string> {
  const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key }
  return (await fetch(service.base + path, { headers })).text()
}

/** The secret part of a key, after its ID. */
const secretOf = (key: string): string => key.slice(key.lastIndexOf('_') + 1)

function secrets(): readonly string[] {
  const keys = Object.values(fixture.keys).filter((key) => key !== undefined && key.length > 20)
  const signing = globSync('keys/*', { cwd: service.dataFolder }).map((file) =>
    readFileSync(join(service.dataFolder, file), 'utf8').trim(),
  )
  return [...keys.map((key) => secretOf(key!)), PASSPHRASE, ...signing]
}

test('debug logs contain no keys, passphrases or evidence', () => {
  const log = service.log()
  assert.ok(log.split('\n').length > 50, 'the log is not empty')
  for (const secret of [...secrets(), 'Ada Lovelace', 'hunter-of-1815'])
    assert.ok(!log.includes(secret), secret)
})

test('error responses contain no keys, passphrases or evidence', () => {
  const text = responses.join('\n')
  for (const secret of [...secrets(), 'hunter-of-1815']) assert.ok(!text.includes(secret), secret)
  assert.ok(!/at .*\.ts:\d+|node_modules|SQLITE|\/tmp\//.test(text), 'no internal details')
})

test('metrics and audit log contain no keys, evidence or capability IDs', async () => {
  const metrics = await service.metrics()
  const audit = await textOf('/v1/audit?limit=200', fixture.owner.key)
  for (const secret of [...secrets(), 'Ada Lovelace', 'hunter-of-1815'])
    for (const text of [metrics, audit]) assert.ok(!text.includes(secret), secret)
  for (const id of [fixture.kitId, fixture.jobId, fixture.submissionId, fixture.owner.workspaceId])
    assert.ok(!metrics.includes(id), `metrics name ${id}`)
})

test('the database stores only hashes of API keys', async () => {
  for (const file of globSync('kitseal.sqlite*', { cwd: service.dataFolder })) {
    const bytes = readFileSync(join(service.dataFolder, file))
    for (const secret of secrets()) assert.ok(!bytes.includes(secret), `${file} holds ${secret.slice(0, 8)}…`)
  }
})

test('the key set contains public key members only', async () => {
  const { keys } = JSON.parse(await textOf('/.well-known/jwks.json', undefined)) as {
    keys: readonly object[]
  }
  assert.ok(keys.length > 0)
  for (const key of keys)
    for (const member of Object.keys(key))
      assert.ok(['kty', 'crv', 'x', 'kid', 'use', 'alg', 'iat', 'exp'].includes(member), member)
})

test('keys, database and evidence are readable by their owner only', () => {
  const { dataFolder } = service
  const open = globSync('**/*', { cwd: dataFolder })
    .map((file) => ({ file, mode: statSync(join(dataFolder, file)).mode & 0o777 }))
    .filter(({ file, mode }) => (!file.includes('/') || file.startsWith('keys')) && (mode & 0o077) !== 0)
  assert.deepEqual(open, [], 'these files are readable by other users')
})
