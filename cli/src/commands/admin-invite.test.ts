import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore, readConfig } from '@kitseal/server'
import { run } from './admin.ts'

test('an invitation link leads to the local console, with its token in the fragment', async () => {
  await using place = await openPlace()
  const created = await place.invite('--email', 'Ann@Example.com', '--role', 'owner', '--json')
  const json = JSON.parse(created.stdout) as Record<string, string>
  assert.match(json['link'] ?? '', /^http:\/\/localhost:8080\/console\/invite#[\w-]{43}$/)
  assert.deepEqual([json['email'], json['role']], ['ann@example.com', 'owner'])
  const text = await place.invite('--email', 'bob@example.com')
  assert.match(
    text.stdout,
    /^link +http:\/\/localhost:8080\/console\/[^]*\nemail +bob@example\.com\nrole +member\n/,
  )
  assert.match(text.stdout, /The link works once\./)
})

test('the link uses KITSEAL_ISSUER or --url', async () => {
  await using place = await openPlace({ KITSEAL_ISSUER: 'https://kits.example' })
  assert.match((await place.invite('--email', 'a@b.c')).stdout, / https:\/\/kits\.example\/console\/invite#/)
  const named = await place.invite('--email', 'a@b.c', '--url', 'http://127.0.0.1:9999')
  assert.match(named.stdout, / http:\/\/localhost:9999\/console\/invite#/)
})

test('a usage error reports every problem and creates no link', async () => {
  await using place = await openPlace()
  const wrong = await place.kitseal('invite', '--email', 'nobody', '--role', 'king', '--url', 'ftp://x')
  assert.equal(wrong.exitCode, 2)
  for (const problem of [
    /--workspace is required/,
    /--email must be/,
    /--role must be owner, manager, member, viewer/,
    /--url must be/,
  ])
    assert.match(wrong.stderr, problem)
  const nowhere = await place.kitseal('invite', '--workspace', 'Nobody', '--email', 'a@b.c')
  assert.deepEqual([nowhere.exitCode, nowhere.stdout], [1, ''])
})

async function openPlace(env: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-invite-'))
  const config = readConfig({ KITSEAL_DATA: folder })
  assert.ok(config.ok)
  await (await openStore(config.value))[Symbol.asyncDispose]()
  const kitseal = async (...args: readonly string[]) => {
    let [stdout, stderr] = ['', '']
    const exitCode = await run([...args, '--data', folder], {
      env,
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
    })
    return { stdout, stderr, exitCode }
  }
  await kitseal('workspace', 'create', '--name', 'Acme')
  return {
    kitseal,
    invite: (...args: readonly string[]) => kitseal('invite', '--workspace', 'Acme', ...args),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
