import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { openStore, readConfig, startService } from '@kitseal/server'
import { run } from './admin.ts'

test('scrub reports no damage, or exits 1 with the kit and path of a missing object', async () => {
  await using place = await withOneKit()
  const sound = await place.kitseal('scrub', '--data', place.data)
  assert.deepEqual([sound.exitCode, sound.stderr], [0, ''])
  assert.match(sound.stdout, /^\d objects, .* read\. No damage found\.\n$/)
  await place.lose()
  const bad = await place.kitseal('scrub', '--data', place.data)
  assert.deepEqual([bad.exitCode, bad.stdout], [1, ''])
  assert.match(
    bad.stderr,
    /^MISSING {2}[0-9a-f]{32}\n {2}kit_[\w-]+ {2}\S+\n[\s\S]* 1 missing or damaged\.\n$/,
  )
  const json = await place.kitseal('scrub', '--json', '--data', place.data)
  assert.equal(json.exitCode, 1)
  const { bad: count, findings } = JSON.parse(json.stdout) as {
    bad: number
    findings: { sha256: string; problem: string; kits: { kit_id: string; paths: string[] }[] }[]
  }
  assert.deepEqual([count, findings[0]?.problem], [1, 'missing'])
  assert.ok((findings[0]?.kits[0]?.paths.length ?? 0) > 0)
})

test('backup warns about private keys; restore needs an empty store', async () => {
  await using place = await withOneKit()
  const backup = join(place.folder, 'backup')
  const written = await place.kitseal('backup', backup, '--data', place.data)
  assert.deepEqual([written.exitCode, written.stderr], [0, ''])
  assert.match(written.stdout, /^Backed up 1 kit to .*\nWARNING: the backup contains 2 private keys\./)
  const restored = await place.kitseal('restore', backup, '--data', join(place.folder, 'restored'))
  assert.deepEqual([restored.exitCode, restored.stderr], [0, ''])
  assert.match(
    restored.stdout,
    /^Restored the database of 20.* and \d objects\.\nNo kits are issued until .*\n$/,
  )
  const refused = await place.kitseal('restore', backup, '--data', place.data)
  assert.deepEqual([refused.exitCode, refused.stdout], [1, ''])
  assert.match(
    refused.stderr,
    /^kitseal admin restore: .*kitseal\.sqlite exists already\. Nothing was changed\./,
  )
  const nothing = await place.kitseal(
    'restore',
    join(place.folder, 'nowhere'),
    '--data',
    join(place.folder, 'x'),
  )
  assert.match(nothing.stderr, /does not contain a complete backup/)
})

test('backup lists missing objects and exits 1', async () => {
  await using place = await withOneKit()
  const lost = await place.lose()
  const written = await place.kitseal('backup', join(place.folder, 'backup'), '--data', place.data)
  assert.equal(written.exitCode, 1)
  assert.ok(written.stderr.includes(lost))
  const restored = await place.kitseal(
    'restore',
    join(place.folder, 'backup'),
    '--data',
    join(place.folder, 'new'),
  )
  assert.equal(restored.exitCode, 1)
  assert.match(restored.stderr, /Missing from the backup: 1 object\n {2}[0-9a-f]{32}\n/)
  assert.ok(restored.stderr.includes(lost))
})

test('an unavailable store or disk is reported in one sentence', async () => {
  await using place = await withOneKit()
  await writeFile(join(place.folder, 'file'), 'no database')
  const below = await place.kitseal('backup', join(place.folder, 'file', 'backup'), '--data', place.data)
  assert.deepEqual([below.exitCode, below.stdout], [1, ''])
  assert.match(
    below.stderr,
    /^kitseal admin backup: not a folder \(EEXIST: .*\)\. Choose another folder\.\n$/,
  )

  const silent = 'postgres://ann@127.0.0.1:1/kitseal'
  const target = ['--to-database', silent, '--to-objects', join(place.folder, 'objects')]
  const move = await place.kitseal('move', ...target, '--data', place.data)
  assert.deepEqual([move.exitCode, move.stdout], [1, ''])
  assert.match(
    move.stderr,
    /^kitseal admin move: cannot use the database 127\.0\.0\.1:1\/kitseal .*--to-database/,
  )

  // As with a folder of another user, who alone may look into it.
  await symlink('loop', join(place.folder, 'loop'))
  for (const args of [['workspace', 'list'], ['signing-key', 'list'], ['scrub']]) {
    const closed = await place.kitseal(...args, '--data', join(place.folder, 'loop'))
    assert.deepEqual([closed.exitCode, closed.stdout], [1, ''])
    assert.doesNotMatch(closed.stderr, /no kitseal data found/)
  }

  await place.asOfANewerRelease()
  for (const args of [['workspace', 'list'], ['signing-key', 'list'], ['scrub']]) {
    const newer = await place.kitseal(...args, '--data', place.data)
    assert.deepEqual([newer.exitCode, newer.stdout], [1, ''])
    assert.match(newer.stderr, /^kitseal admin [\w-]+: the database is of a newer release/)
  }
  await rm(join(place.data, 'kitseal.sqlite'))
  await writeFile(join(place.data, 'kitseal.sqlite'), 'no database, whatever its name says. '.repeat(50))
  for (const args of [['workspace', 'list'], ['signing-key', 'list'], ['scrub']]) {
    const corrupt = await place.kitseal(...args, '--data', place.data)
    assert.deepEqual([corrupt.exitCode, corrupt.stdout], [1, ''])
    assert.match(corrupt.stderr, /^kitseal admin [\w-]+: .*kitseal\.sqlite is not a readable database/)
  }
})

test('a move to one machine says how to start it, and leaves the source as it was', async () => {
  await using place = await withOneKit()
  const to = join(place.folder, 'moved')
  const moved = await place.kitseal('move', '--to-data', to, '--data', place.data)
  assert.deepEqual([moved.exitCode, moved.stderr], [0, ''])
  assert.match(moved.stdout, /^Moved \d+ records and \d objects\.\n/)
  assert.ok(moved.stdout.includes(`without KITSEAL_DATABASE_URL:\n  KITSEAL_DATA='${to}'\n`))
  for (const data of [to, place.data])
    assert.equal((await place.kitseal('scrub', '--data', data)).exitCode, 0)
  const same = await place.kitseal('move', '--to-data', place.data, '--data', place.data)
  assert.deepEqual([same.exitCode, same.stdout], [1, ''])
  assert.match(same.stderr, /^kitseal admin move: The target is the source/)
  const both = await place.kitseal(
    'move',
    '--to-data',
    to,
    '--to-database',
    'postgres://a/b',
    '--data',
    place.data,
  )
  assert.equal(both.exitCode, 2)
  assert.match(both.stderr, /--to-database and --to-data exclude each other/)
})

test('the settings that a move prints hold in any folder', async () => {
  await using place = await withOneKit()
  const [to, objects] = ['moved', 'moved-objects'].map((name) => join(place.folder, name))
  const target = ['--to-data', relative('', to ?? ''), '--to-objects', relative('', objects ?? '')]
  const { stdout } = await place.kitseal('move', ...target, '--data', place.data)
  assert.ok(stdout.includes(`\n  KITSEAL_DATA='${to}'\n  KITSEAL_OBJECTS='${objects}'\n`), stdout)
})

test('usage errors are reported together', async () => {
  await using place = await withOneKit()
  const move = await place.kitseal('move', '--data', place.data)
  assert.equal(move.exitCode, 2)
  assert.match(move.stderr, /--to-database is required\n.*--to-objects is required/)
  assert.equal((await place.kitseal('backup', '--data', place.data)).exitCode, 2)
  assert.equal((await place.kitseal('scrub', '--data', join(place.folder, 'nowhere'))).exitCode, 2)
  const url = 'ftp://somewhere'
  const wrong = await place.kitseal(
    'move',
    '--to-database',
    'postgres://a/b',
    '--to-objects',
    url,
    '--data',
    place.data,
  )
  assert.equal(wrong.exitCode, 2)
  assert.match(
    wrong.stderr,
    /^kitseal admin move: --to-objects is "ftp:\/\/somewhere"\. Expected a folder, or/,
  )
})

async function withOneKit() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-admin-'))
  const data = join(folder, 'data')
  const config = readConfig({ KITSEAL_DATA: data, KITSEAL_PORT: '0', KITSEAL_LOG_LEVEL: 'silent' })
  assert.ok(config.ok)
  const service = await startService(config.value, {
    log: { write: () => {} },
    clock: { now: () => Date.now() },
  })
  const created = await fetch(`${service.address}/v1/intake/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'one kit' }),
  })
  const { job_id } = (await created.json()) as { job_id: string }
  for (let status = ''; status !== 'ISSUED';) {
    const job = await fetch(`${service.address}/v1/intake/jobs/${job_id}`)
    ;({ status } = (await job.json()) as { status: string })
  }
  await service.stop()
  return {
    folder,
    data,
    /** Loses an object of the kit; its name. */
    lose: async (): Promise<string> => {
      await using store = await openStore(config.value)
      const { object } = await store.db
        .selectFrom('objects')
        .select('object')
        .where('submission_id', 'is not', null)
        .executeTakeFirstOrThrow()
      await store.objects.delete(object)
      return object
    },
    asOfANewerRelease: async (): Promise<void> => {
      await using store = await openStore(config.value)
      await store.db
        .updateTable('schema_version' as never)
        .set({ version: 9999 } as never)
        .execute()
    },
    kitseal: async (...args: readonly string[]) => {
      const said = { stdout: '', stderr: '' }
      const exitCode = await run(args, {
        env: {},
        stdout: { write: (text) => (said.stdout += text) },
        stderr: { write: (text) => (said.stderr += text) },
      })
      return { ...said, exitCode }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
