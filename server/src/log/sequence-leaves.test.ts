import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { consistencyProofFromTiles, LEAF_VERSION, leafHash, merkleRoot, utf8 } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type Kysely, sql } from 'kysely'
import { onEachDatabase } from '../../test/each-database.ts'
import { systemClock } from '../runtime/clock.ts'
import { appendLeaf } from '../database/append-leaf.ts'
import type { Database } from '../database/schema.ts'
import { fileKeys } from '../keys/file-signer.ts'
import { ensureLog, readLog } from './log-key.ts'
import { tileReader, readLeaves } from './log-tiles.ts'
import { sequencer } from './sequence-leaves.ts'
import { isConsistent } from '../../../kit/test/consistency.ts'

const { digest } = nodeHost
const HEAD = '0'.repeat(64)

async function append(db: Kysely<Database>, first: number, count: number): Promise<void> {
  const leaves = Array.from({ length: count }, (_, next) =>
    JSON.stringify({
      audit_tag: HEAD,
      count: first + next,
      head: HEAD,
      kind: 'audit',
      leaf_version: LEAF_VERSION,
    }),
  )
  for (let at = 0; at < count; at += 500)
    await db
      .insertInto('log_leaves')
      .values(leaves.slice(at, at + 500).map((leaf) => ({ leaf, kit_id: null })))
      .execute()
}

async function newLog(t: TestContext, db: Kysely<Database>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kitseal-log-'))
  t.after(() => rmSync(directory, { recursive: true }))
  await ensureLog(db, [fileKeys({ directory })], 'issuer.example/log', systemClock)
}

async function headOf(db: Kysely<Database>) {
  const log = await readLog(db)
  assert.ok(log !== undefined)
  return { size: log.size, root: new Uint8Array(Buffer.from(log.root, 'base64')) }
}

async function sequenceAll(db: Kysely<Database>): Promise<void> {
  const { sequence } = sequencer(db, systemClock)
  while ((await sequence(0)) !== undefined);
}

onEachDatabase(({ create }) => {
  test('the root is that of all leaves, whatever the batches, and each size is consistent with the last', async (t) => {
    await using database = await create()
    const db = await database.open()
    await newLog(t, db)
    let older = await headOf(db)
    let appended = 0
    for (const count of [1, 1, 253, 1, 1, 700, 65]) {
      await append(db, appended, count)
      appended += count
      await sequenceAll(db)
      const newer = await headOf(db)
      assert.equal(newer.size, appended)
      const leaves = await readLeaves(db, 0, appended)
      const hashes = leaves.map((leaf) => leafHash(utf8(leaf), digest))
      assert.deepEqual(newer.root, new Uint8Array(merkleRoot(hashes, digest)))
      if (older.size > 0) {
        const proof = await consistencyProofFromTiles(older.size, newer.size, tileReader(db), digest)
        assert.ok(isConsistent(older, newer, proof, digest))
      }
      older = newer
    }
  })

  test('several sequencers at once give each leaf one index', async (t) => {
    await using database = await create()
    const db = await database.open()
    await newLog(t, db)
    await append(db, 0, 3000)
    await Promise.all([sequenceAll(db), sequenceAll(db), sequenceAll(db)])
    assert.equal((await headOf(db)).size, 3000)
    const leaves = await readLeaves(db, 0, 3000)
    assert.equal(new Set(leaves).size, 3000)
    assert.deepEqual(
      (await headOf(db)).root,
      new Uint8Array(
        merkleRoot(
          leaves.map((leaf) => leafHash(utf8(leaf), digest)),
          digest,
        ),
      ),
    )
  })

  test('the database refuses a log that shrinks or changes', async (t) => {
    await using database = await create()
    const db = await database.open()
    await newLog(t, db)
    await append(db, 0, 300)
    await sequenceAll(db)
    for (const change of [
      sql`update log set size = 299`,
      sql`update log set root = 'another'`,
      sql`update log set origin = 'another'`,
      sql`delete from log`,
      sql`delete from log_leaves where leaf_index = 0`,
      sql`update log_leaves set leaf_index = 900 where leaf_index = 1`,
      sql`update log_leaves set leaf = 'another' where leaf_index = 1`,
      sql`update log_tiles set root = 'another'`,
      sql`delete from log_tiles`,
    ])
      await assert.rejects(change.execute(db))
    await sql`update log set updated_at = 'now'`.execute(db)
  })

  test('a leaf without a log waits for it', async (t) => {
    await using database = await create()
    const db = await database.open()
    await appendLeaf(db, { leaf_version: LEAF_VERSION, kind: 'audit', audit_tag: HEAD, count: 1, head: HEAD })
    await newLog(t, db)
    await sequenceAll(db)
    assert.equal((await headOf(db)).size, 1)
  })
})
