import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Private signing keys, encrypted with a passphrase, for nodes on different machines that share no folder. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('private_keys')
    .addColumn('reference', 'text', (c) => c.primaryKey())
    .addColumn('content', 'text', (c) => c.notNull())
    .execute()
  await dialect.dropGuard(db, { name: 'signing_keys_begin', on: 'signing_keys' })
  await dialect.createGuard(db, {
    name: 'signing_keys_begin',
    on: 'signing_keys',
    event: 'insert',
    when: `new.state <> 'active' or new.provider not in ('file', 'pkcs11', 'database')`,
    message: 'a signing key begins as active',
  })
}
