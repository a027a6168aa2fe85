import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStore, readConfig } from '@kitseal/server'
import { run } from './admin.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitseal-operator-'))
  const config = readConfig({ KITSEAL_DATA: folder })
  assert.ok(config.ok)
  await (await openStore(config.value))[Symbol.asyncDispose]()
})
after(() => rm(folder, { recursive: true }))

async function kitseal(...args: readonly string[]) {
  let [stdout, stderr] = ['', '']
  const exitCode = await run([...args, '--data', folder], {
    env: {},
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  })
  return { stdout, stderr, exitCode }
}

test('operators are added, listed and removed, and the answer says how the address is proved', async () => {
  const added = await kitseal('operator', 'add', 'Ann@Example.com')
  assert.equal(added.exitCode, 0, added.stderr)
  assert.match(added.stdout, /^ann@example\.com is an operator\.\nThey are not a member of a workspace yet/)
  assert.match(added.stdout, /kitseal admin invite --workspace WORKSPACE --email ann@example\.com/)
  assert.match((await kitseal('operator', 'add', 'ann@example.com')).stdout, /is already an operator/)
  assert.match((await kitseal('status')).stdout, /^operators +email ann@example\.com, .*status waiting/m)
  const { operators } = JSON.parse((await kitseal('status', '--json')).stdout) as { operators: unknown[] }
  assert.equal(operators.length, 1)
  assert.match(
    (await kitseal('operator', 'add', '--remove', 'ann@example.com')).stdout,
    /no longer an operator/,
  )
  assert.match((await kitseal('status')).stdout, /^operators +-$/m)
  const again = await kitseal('operator', 'add', '--remove', 'ann@example.com')
  assert.deepEqual([again.exitCode, again.stdout], [1, ''])
})

test('what is no address is refused', async () => {
  for (const wrong of ['ann', 'a@b, c@d', '<ann@example.com>'])
    assert.equal((await kitseal('operator', 'add', wrong)).exitCode, 2, wrong)
})

test('the status says that the service is down, with exit code 1, as text and as JSON', async () => {
  const text = await kitseal('status')
  assert.deepEqual([text.exitCode, text.stderr], [1, ''])
  assert.match(text.stdout, /^version +\d/m)
  assert.match(text.stdout, /^nodes +-$/m)
  assert.match(text.stdout, /^fail nodes: The service is not running\. Start it\.$/m)
  assert.match(text.stdout, /^ok {3}database$/m)
  assert.match(text.stdout, /^\d problems?, \d warnings?\.$/m)
  const json = await kitseal('status', '--json')
  assert.equal(json.exitCode, 1)
  const { checks } = JSON.parse(json.stdout) as { checks: { check: string; status: string }[] }
  assert.equal(checks.find(({ check }) => check === 'nodes')?.status, 'fail')
})
