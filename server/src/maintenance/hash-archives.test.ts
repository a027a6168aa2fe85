import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { KitId } from '../runtime/identifiers.ts'
import { kitsUnderTest } from '../../test/test-kits.ts'
import { type HashArchivesContext, hashArchives } from './hash-archives.ts'

test('kits of an earlier release get the SHA-256 of kit.zip, once', async () => {
  await using place = await kitsUnderTest()
  const issued = [await place.issue(), await place.issue()]
  for (const { kit } of issued) await forget(place, kit.kit_id)
  assert.equal(await hashArchives(contextOf(place)), 2)
  for (const { kit } of issued) assert.equal(await stored(place, kit.kit_id), kit.zip_sha256)
  assert.equal(await hashArchives(contextOf(place)), 0)
})

test('a stored SHA-256 does not change, and neither does anything else of a kit', async () => {
  await using place = await kitsUnderTest()
  await place.issue()
  for (const change of [{ zip_sha256: '0' }, { zip_sha256: null }, { receipt: '{}' }])
    await assert.rejects(place.db.updateTable('kits').set(change).execute(), /a kit does not change/)
})

test('a kit with a damaged or missing file gets no SHA-256, and the others do', async () => {
  await using place = await kitsUnderTest()
  const [damaged, missing, intact] = [await place.issue(), await place.issue(), await place.issue()]
  for (const { kit } of [damaged, missing, intact]) await forget(place, kit.kit_id)
  await writeFile(place.pathOf(damaged.entries[0]?.object ?? ''), Buffer.alloc(1_000_000))
  await rm(place.pathOf(missing.entries[0]?.object ?? ''))
  const errors: object[] = []
  assert.equal(
    await hashArchives({ ...contextOf(place), log: { error: (fields) => errors.push(fields) } }),
    1,
  )
  assert.equal(errors.length, 2)
  assert.equal(await stored(place, damaged.kit.kit_id), null)
  assert.equal(await stored(place, intact.kit.kit_id), intact.kit.zip_sha256)
})

type Place = Awaited<ReturnType<typeof kitsUnderTest>>

const contextOf = ({ db, objects }: Place): HashArchivesContext => ({
  db,
  objects,
  log: { error: assert.fail },
  isStopping: () => false,
})

/** As an earlier release stored it: a row cannot be changed, but an earlier one had no such column. */
async function forget({ db }: Place, kitId: string): Promise<void> {
  const { rows } = await sql<{
    sql: string
  }>`select sql from sqlite_master where name = 'kits_fixed'`.execute(db)
  await sql`drop trigger kits_fixed`.execute(db)
  await db
    .updateTable('kits')
    .set({ zip_sha256: null })
    .where('kit_id', '=', kitId as KitId)
    .execute()
  await sql.raw(rows[0]?.sql ?? '').execute(db)
}

async function stored({ db }: Place, kitId: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('kits')
    .select('zip_sha256')
    .where('kit_id', '=', kitId as KitId)
    .executeTakeFirst()
  return row?.zip_sha256
}
