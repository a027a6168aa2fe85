import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Since when the private key of a revoked signing key may be in other hands. It is stated with the revocation, and moves only back. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('signing_keys').addColumn('compromised_since', 'text').execute()
  await dialect.createGuard(db, {
    name: 'signing_keys_compromise',
    on: 'signing_keys',
    event: 'update',
    when: `new.compromised_since is distinct from old.compromised_since
      and not (new.state = 'revoked' and new.compromised_since is not null
        and (old.state <> 'revoked' or new.compromised_since < coalesce(old.compromised_since, '')))`,
    message: 'the compromise of a signing key is stated when it is revoked, and moves only back',
  })
}
