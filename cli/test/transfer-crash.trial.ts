// Only in test:all: kills at many moments; move-store.test.ts and backup.trial.ts have the results
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore, readConfig } from '@kitseal/server'
import { testService } from '../../server/test/test-service.ts'
import { form, workspaceClient } from '../../server/test/workspace-client.ts'

const ROOT = join(import.meta.dirname, '../..')
const FILES = 30

test('a backup, a restore and a move that are killed at any step are completed by the same command', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-transfer-crash-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string): string => join(folder, name)
  await fill(at('source'))
  const original = await contentsOf(at('source'))
  assert.ok(original.objects.length > FILES)

  const backup = ['backup', at('backup'), '--data', at('source')]
  killAt('object copied', backup)
  const early = kitseal(['restore', at('backup'), '--data', at('early')])
  assert.match(early.stderr, /does not contain a complete backup/)
  killAt('backup indexed', backup)
  assert.equal(kitseal(backup).status, 0)

  const restore = ['restore', at('backup'), '--data', at('restored')]
  killAt('records written', restore)
  const restored = kitseal(restore)
  assert.equal(restored.status, 0, restored.stderr)
  assert.deepEqual(await contentsOf(at('restored')), original)

  const move = ['move', '--to-data', at('moved'), '--data', at('source')]
  for (const step of ['object copied', 'objects copied', 'kits checked']) killAt(step, move)
  const moved = kitseal(move)
  assert.equal(moved.status, 0, moved.stderr)
  assert.match(moved.stdout, /^Moved \d+ records and \d+ objects\. Verified 1 kit before and after\.\n/)
  assert.deepEqual(await contentsOf(at('moved')), original)
  assert.deepEqual(readdirSync(join(at('moved'), 'objects', 'tmp')), [])
  const again = kitseal(move)
  assert.equal(again.status, 1)
  assert.match(again.stderr, /The target database is not empty/)

  function kitseal(args: readonly string[], killFile = '') {
    const dying = ['--import', join(ROOT, 'server/test/die-at-step.ts')]
    const bundles = process.execArgv.filter((option) => /\/bundled-(packages|service)\.mjs/.test(option))
    const node = [...bundles, ...dying, join(ROOT, 'cli/bin/kitseal.cjs'), 'admin', ...args]
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      KILL_FILE: killFile,
      KITSEAL_LOG_MARK: at('marks'),
    }
    return spawnSync(process.execPath, node, { env, encoding: 'utf8', timeout: 60_000 })
  }

  function killAt(step: string, args: readonly string[]): void {
    writeFileSync(at('step'), step)
    assert.equal(kitseal(args, at('step')).signal, 'SIGKILL', `${args[0]}: ${step}`)
  }
})

async function fill(data: string): Promise<void> {
  await using service = await testService({
    KITSEAL_DATA: data,
    KITSEAL_DATABASE_URL: undefined,
    KITSEAL_OBJECTS: undefined,
  })
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  const files = Array.from({ length: FILES }, (_, n) => [`file-${n}.txt`, `content ${n}`] as const)
  await acme.upload(id, form(Object.fromEntries(files)))
  assert.equal((await acme.ended(id))['status'], 'PASS')
}

/** What must not be lost: kits and evidence, and the objects that they refer to. */
async function contentsOf(data: string) {
  const config = readConfig({ KITSEAL_DATA: data })
  assert.ok(config.ok)
  await using store = await openStore(config.value)
  const { db } = store
  const kits = await db.selectFrom('kits').selectAll().orderBy('kit_id').execute()
  const evidence = await db.selectFrom('evidence').selectAll().orderBy('sha256').execute()
  const references = await db.selectFrom('kit_objects').select('sha256').orderBy('sha256').execute()
  const objects = [...new Set([...references, ...evidence].map(({ sha256 }) => sha256))].toSorted()
  for (const sha256 of objects) assert.ok(await store.objects.has(sha256), sha256)
  return { kits, evidence, objects }
}
