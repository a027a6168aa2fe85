import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import {
  changed,
  createGuards,
  createIndexes,
  fixed,
  primaryKey,
  refersTo,
  required,
  stay,
} from '../parts.ts'
import { notCondemned } from './objects.ts'

/** Kits, the objects that hold their files, and what remains of kits that have expired. */
export async function createKits(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('kits')
    .addColumn('kit_id', 'text', primaryKey)
    .addColumn('job_id', 'text', (c) => c.notNull().unique().references('jobs.job_id'))
    .addColumn('issued_at', 'text', required)
    .addColumn('receipt_version', 'text', required)
    .addColumn('manifest_sha256', 'text', required)
    .addColumn('public_key_kid', 'text', refersTo('signing_keys.kid'))
    .addColumn('downloads', 'text', required)
    .addColumn('receipt', 'text', required)
    .addColumn('entries', 'text', required)
    .addColumn('zip_sha256', 'text')
    .addColumn('log_proof', 'text')
    .addColumn('time_stamp', 'text')
    .execute()
  await db.schema
    .createTable('kit_objects')
    .addColumn('sha256', 'text', required)
    .addColumn('kit_id', 'text', refersTo('kits.kit_id'))
    .addPrimaryKeyConstraint('kit_objects_primary_key', ['sha256', 'kit_id'])
    .execute()
  await db.schema
    .createTable('expired_kits')
    .addColumn('kit_id', 'text', (c) => c.primaryKey().references('kits.kit_id'))
    .addColumn('expired_at', 'text', required)
    .addColumn('manifest', 'text', required)
    .addColumn('erasure', 'text')
    .execute()
  await db.schema
    .createTable('series_kits')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('series', 'text', required)
    .addColumn('issued_at', 'text', required)
    .addColumn('sequence', 'bigint', required)
    .addColumn('kit_id', 'text', required)
    .addColumn('is_reissue', 'integer', required)
    .addPrimaryKeyConstraint('series_kits_primary_key', ['workspace_id', 'series', 'issued_at', 'sequence'])
    .execute()
  await createIndexes(db, INDEXES)
  await createGuards(db, dialect, GUARDS)
}

const INDEXES = [
  // A key is never retired before the time of its last receipt; see retireKey.
  'index kits_by_key on kits (public_key_kid, issued_at)',
  'index kits_without_zip_sha256 on kits (kit_id) where zip_sha256 is null',
  'index kit_objects_of_kit on kit_objects (kit_id)',
  'index expired_kits_by_time on expired_kits (expired_at)',
]

const SEALED = [
  'kit_id',
  'job_id',
  'issued_at',
  'receipt_version',
  'manifest_sha256',
  'public_key_kid',
  'downloads',
  'receipt',
  'entries',
] as const

const GUARDS = [
  {
    name: 'kits_key',
    on: 'kits',
    event: 'insert',
    // Whole seconds, as in the published key set.
    when: `not exists (select 1 from signing_keys where signing_keys.kid = new.public_key_kid
      and signing_keys.state <> 'revoked'
      and substr(signing_keys.created_at, 1, 19) <= substr(new.issued_at, 1, 19)
      and (signing_keys.retired_at is null
        or substr(new.issued_at, 1, 19) <= substr(signing_keys.retired_at, 1, 19)))`,
    message: 'a kit is signed by a key that is alive at its time',
  },
  stay('kits', 'kits are not deleted'),
  {
    name: 'kits_fixed',
    on: 'kits',
    event: 'update',
    when: `${changed(...SEALED)}
      or (old.zip_sha256 is not null and new.zip_sha256 is distinct from old.zip_sha256)
      or ((${changed('log_proof', 'time_stamp')})
        and (old.log_proof is not null or exists (select 1 from jobs where jobs.kit_id = old.kit_id)))`,
    message: 'a kit does not change',
  },
  notCondemned('kit_objects'),
  stay('expired_kits', 'what was let go is not forgotten'),
  fixed('expired_kits', 'what was let go does not change'),
] as const
