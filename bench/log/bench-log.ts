import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEAF_VERSION } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import { systemClock } from '../../server/src/runtime/clock.ts'
import type { Database } from '../../server/src/database/schema.ts'
import { openSqlite } from '../../server/src/database/sqlite.ts'
import { fileKeys } from '../../server/src/keys/file-signer.ts'
import { type TransparencyLog, transparencyLog } from '../../server/src/log/transparency-log.ts'
import { marksIn } from '../../server/test/marks-in.ts'
import { fillLog } from './fill-log.ts'

/** A log of the service on SQLite, alone. */
export interface BenchLog extends AsyncDisposable {
  readonly db: Kysely<Database>
  readonly log: TransparencyLog
}

/** With so many leaves in it already. */
export async function benchLog(size = 0): Promise<BenchLog> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-log-'))
  const path = join(folder, 'kitseal.db')
  const providers = [fileKeys({ directory: join(folder, 'keys') })] as const
  const open = async () => {
    const db = await openSqlite(path)
    return { db, log: transparencyLog({ db, clock: systemClock, providers, marks: marksIn(folder) }) }
  }
  const empty = await open()
  await empty.log.ensure('issuer.example/log')
  await empty.db.destroy()
  if (size > 0) await fillLog(path, size, newLeaf)
  const { db, log } = await open()
  return {
    db,
    log,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await rm(folder, { recursive: true })
    },
  }
}

const KID = randomBytes(32).toString('base64url')
let made = 0

/** As long as the leaf of a receipt. */
export function newLeaf(): string {
  const sha256 = (++made).toString(16).padStart(64, '0')
  return JSON.stringify({
    job_tag: sha256,
    kid: KID,
    kind: 'receipt',
    leaf_version: LEAF_VERSION,
    receipt_sha256: sha256,
  })
}

/** Adds waiting leaves in one transaction. */
export async function addLeaves(db: Kysely<Database>, count: number): Promise<void> {
  const leaves = Array.from({ length: count }, () => ({ leaf: newLeaf(), kit_id: null }))
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < count; at += 500)
      await trx
        .insertInto('log_leaves')
        .values(leaves.slice(at, at + 500))
        .execute()
  })
}
