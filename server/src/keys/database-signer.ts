import type { Db } from '../database/schema.ts'
import {
  keyText,
  newKeyPair,
  type Passphrases,
  readStoredKey,
  requirePassphrase,
  signerOf,
  isEncryptedKey,
} from './key-file-format.ts'
import { KeyUnusable, type CreatedKey, type KeyProvider, type Signer } from './signer.ts'

export interface DatabaseKeysOptions extends Passphrases {
  readonly db: Db
}

/** Private keys in the database, for nodes that share no folder. */
export function databaseKeys({ db, ...passphrases }: DatabaseKeysOptions): KeyProvider {
  const { passphrase } = passphrases
  return {
    name: 'database',
    async create() {
      const { kid, x, privateKey } = newKeyPair()
      const rows = await db.selectFrom('private_keys').select('content').execute()
      const existing = rows.map((row) => row.content)
      requirePassphrase(existing, passphrase, 'the database')
      const content = await keyText(kid, privateKey, passphrase)
      await db.insertInto('private_keys').values({ reference: kid, content }).execute()
      return { kid, x, reference: kid }
    },
    open: (key) => openKeyRow(db, key, passphrases),
    async destroy(reference) {
      await db.deleteFrom('private_keys').where('reference', '=', reference).execute()
    },
    close: async () => {},
  }
}

async function openKeyRow(db: Db, key: CreatedKey, passphrases: Passphrases): Promise<Signer> {
  const location = `the private key ${key.reference} in the database`
  const row = await db
    .selectFrom('private_keys')
    .select('content')
    .where('reference', '=', key.reference)
    .executeTakeFirst()
  if (row === undefined) {
    throw new KeyUnusable(`${location} is missing; restore it from a backup, or rotate to a new key`)
  }
  const { privateKey, isStale } = await readStoredKey(key, row.content, passphrases, location)
  if (isStale) {
    const content = await keyText(key.kid, privateKey, passphrases.passphrase)
    await db.updateTable('private_keys').set({ content }).where('reference', '=', key.reference).execute()
  }
  return signerOf(key, privateKey)
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
