import { generateKeyPairSync, sign } from 'node:crypto'
import { thumbprint } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { keyText, publicX, readKeyText, requirePassphrase } from './key-file-format.ts'
import { isEncryptedKey } from './encrypted-key.ts'
import { KeyUnusable, type CreatedKey, type KeyProvider, type Signer } from './signer.ts'

export interface DatabaseKeysOptions {
  readonly db: Kysely<Database>
  /** If set, keys are encrypted. An unencrypted key is encrypted when it is opened. */
  readonly passphrase?: string
}

/** Private keys in the database, for nodes that share no folder. */
export function databaseKeys({ db, passphrase }: DatabaseKeysOptions): KeyProvider {
  return {
    name: 'database',
    async create() {
      const { privateKey } = generateKeyPairSync('ed25519')
      const x = publicX(privateKey)
      const kid = thumbprint(x)
      const kept = await db.selectFrom('private_keys').select('content').execute()
      requirePassphrase(
        kept.map((row) => row.content),
        passphrase,
        'the database',
      )
      const content = await keyText(kid, privateKey, passphrase)
      await db.insertInto('private_keys').values({ reference: kid, content }).execute()
      return { kid, x, reference: kid }
    },
    open: (key) => openKeyRow(db, key, passphrase),
    async destroy(reference) {
      await db.deleteFrom('private_keys').where('reference', '=', reference).execute()
    },
    close: async () => {},
  }
}

async function openKeyRow(
  db: Kysely<Database>,
  key: CreatedKey,
  passphrase: string | undefined,
): Promise<Signer> {
  const place = `the private key ${key.reference} in the database`
  const row = await db
    .selectFrom('private_keys')
    .select('content')
    .where('reference', '=', key.reference)
    .executeTakeFirst()
  if (row === undefined) {
    throw new KeyUnusable(`${place} is missing; restore it from a backup, or rotate to a new key`)
  }
  const privateKey = await readKeyText(key, row.content, passphrase, place)
  if (passphrase !== undefined && !isEncryptedKey(row.content)) {
    const content = await keyText(key.kid, privateKey, passphrase)
    await db.updateTable('private_keys').set({ content }).where('reference', '=', key.reference).execute()
  }
  return { kid: key.kid, x: key.x, sign: async (message) => sign(null, message, privateKey) }
}

/** Whether the active key is stored unencrypted. */
export async function isUnencrypted(db: Kysely<Database>): Promise<boolean> {
  const row = await db
    .selectFrom('private_keys')
    .innerJoin('signing_keys', 'signing_keys.reference', 'private_keys.reference')
    .select('content')
    .where('signing_keys.state', '=', 'active')
    .executeTakeFirst()
  return row !== undefined && !isEncryptedKey(row.content)
}
