import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { changed, createGuards, createIndexes, moves, primaryKey, required, stay } from '../parts.ts'

/** Signing keys, and private keys that are kept in the database. */
export async function createSigningKeys(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', primaryKey)
    .addColumn('x', 'text', (c) => c.notNull().unique())
    .addColumn('provider', 'text', required)
    .addColumn('reference', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('retired_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('compromised_since', 'text')
    .execute()
  await createIndexes(db, [
    "unique index signing_keys_one_active on signing_keys (state) where state = 'active'",
  ])
  await db.schema
    .createTable('private_keys')
    .addColumn('reference', 'text', primaryKey)
    .addColumn('content', 'text', required)
    .execute()
  await createGuards(db, dialect, GUARDS)
}

const MOVES = [
  ['active', 'retired'],
  ['active', 'revoked'],
  ['retired', 'revoked'],
] as const

const GUARDS = [
  {
    name: 'signing_keys_begin',
    on: 'signing_keys',
    event: 'insert',
    when: `new.state <> 'active' or new.provider not in ('file', 'pkcs11', 'database')`,
    message: 'a signing key begins as active',
  },
  {
    name: 'signing_keys_move',
    on: 'signing_keys',
    event: 'update',
    when: `(new.state <> old.state and not (${moves('state', MOVES)}))
      or ${changed('kid', 'x', 'provider', 'created_at')}
      or (old.retired_at is not null and new.retired_at is distinct from old.retired_at)
      or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)`,
    message: 'a signing key does not move that way',
  },
  {
    name: 'signing_keys_compromise',
    on: 'signing_keys',
    event: 'update',
    when: `${changed('compromised_since')}
      and not (new.state = 'revoked' and new.compromised_since is not null
        and (old.state <> 'revoked' or new.compromised_since < coalesce(old.compromised_since, '')))`,
    message: 'the compromise of a signing key is stated when it is revoked, and moves only back',
  },
  stay('signing_keys', 'signing keys are not deleted'),
] as const
