import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newDatabase, type RunningPostgres, sharedPostgres } from '../../../test/kit/postgres.ts'
import { main } from '../main.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-migrate-'))
let server: RunningPostgres

before(async () => {
  server = await sharedPostgres()
})
after(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  test(`${database}: migrate --check lists pending migrations and exits 1 until they are done`, async () => {
    const env = await settings(database)
    const first = await kitseal(env, 'admin', 'migrate', '--check')
    assert.equal(first.code, 1)
    assert.match(first.stdout, /^Pending: 0001-schema$/m)
    const done = await kitseal(env, 'admin', 'migrate', '--json')
    assert.equal(done.code, 0)
    assert.equal((JSON.parse(done.stdout) as { done: string[] }).done[0], '0001-schema')
    const again = await kitseal(env, 'admin', 'migrate')
    assert.deepEqual([again.code, again.stdout], [0, 'The database is up to date.\n'])
    assert.equal((await kitseal(env, 'admin', 'migrate', '--check')).code, 0)
  })

  test(`${database}: an operator creates a workspace, keys, credits and a plan, and rotates the signing key`, async () => {
    const env = await settings(database)
    assert.equal((await kitseal(env, 'admin', 'migrate')).code, 0)
    const created = await kitseal(env, 'admin', 'workspace', 'create', '--name', 'Acme', '--json')
    assert.equal(created.code, 0, created.stderr)
    const id = String((JSON.parse(created.stdout) as Record<string, unknown>)['workspace_id'])
    for (const command of [
      `admin credits grant ${id} 5`,
      `admin key create ${id} --label ci`,
      `admin key list ${id}`,
      'admin plan list',
      'admin workspace list',
      'admin signing-key rotate',
      'admin signing-key list',
    ]) {
      const answer = await kitseal(env, ...command.split(' '))
      assert.equal(answer.code, 0, `${command}: ${answer.stderr}`)
    }
    const keys = await kitseal(env, 'admin', 'signing-key', 'list')
    assert.match(keys.stdout, database === 'SQLite' ? / file/ : / database/)
  })
}

test('an unreachable database is reported without its password', async () => {
  const env = { KITSEAL_DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/kits' }
  for (const command of ['admin migrate', 'admin workspace list', 'admin signing-key list']) {
    const answer = await kitseal(env, ...command.split(' '))
    assert.equal(answer.code, 1)
    assert.match(answer.stderr, /cannot use the database 127\.0\.0\.1:1\/kits/)
    const json = await kitseal(env, ...command.split(' '), '--json')
    assert.equal((JSON.parse(json.stdout) as { refused: string }).refused, 'store_unavailable')
    assert.doesNotMatch(answer.stderr + json.stdout, /hunter2/)
  }
})

async function settings(database: 'SQLite' | 'PostgreSQL'): Promise<Readonly<Record<string, string>>> {
  const KITSEAL_DATA = mkdtempSync(join(folder, 'data-'))
  if (database === 'SQLite') return { KITSEAL_DATA }
  return { KITSEAL_DATA, KITSEAL_DATABASE_URL: await newDatabase(server.url) }
}

async function kitseal(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const texts = { stdout: '', stderr: '' }
  const code = await main(args, {
    env,
    stdout: { write: (text: string) => (texts.stdout += text) },
    stderr: { write: (text: string) => (texts.stderr += text) },
  })
  return { code, ...texts }
}
