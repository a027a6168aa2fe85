import type { Db } from '../database/schema.ts'
import { isEncryptedKey, type Passphrases, storedKeys } from './key-file-format.ts'
import { KeyUnusable, type KeyProvider } from './signer.ts'

const locate = (reference: string): string => `the private key ${reference} in the database`

/** Private keys in the database, for nodes that share no folder. */
export function databaseKeys({ db, ...passphrases }: Passphrases & { readonly db: Db }): KeyProvider {
  return storedKeys(
    {
      name: 'database',
      location: 'the database',
      locate,
      referenceOf: (kid) => kid,
      async existing() {
        const rows = await db.selectFrom('private_keys').select('content').execute()
        return rows.map(({ content }) => content)
      },
      async read(reference) {
        const row = await db
          .selectFrom('private_keys')
          .select('content')
          .where('reference', '=', reference)
          .executeTakeFirst()
        if (row !== undefined) return row.content
        throw new KeyUnusable(
          `${locate(reference)} is missing; restore it from a backup, or rotate to a new key`,
        )
      },
      async write(reference, content) {
        await db
          .insertInto('private_keys')
          .values({ reference, content })
          .onConflict((conflict) => conflict.column('reference').doUpdateSet({ content }))
          .execute()
      },
      async remove(reference) {
        await db.deleteFrom('private_keys').where('reference', '=', reference).execute()
      },
    },
    passphrases,
  )
}

/** Whether the active key is stored unencrypted. */
export async function isUnencrypted(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('private_keys')
    .innerJoin('signing_keys', 'signing_keys.reference', 'private_keys.reference')
    .select('content')
    .where('signing_keys.state', '=', 'active')
    .executeTakeFirst()
  return row !== undefined && !isEncryptedKey(row.content)
}
