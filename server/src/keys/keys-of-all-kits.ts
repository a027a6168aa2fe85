import type { Jwks } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { publishedKeys } from './key-validity.ts'
import { allSigningKeys, type SigningKeyRow } from './signing-key-queries.ts'

/** Treats revoked keys as retired, to check whether kits are intact, not whether their keys are trusted. */
export async function keysOfAllKits(db: Kysely<Database>): Promise<Jwks> {
  return publishedKeys((await allSigningKeys(db)).map(asRetired))
}

function asRetired(row: SigningKeyRow): SigningKeyRow {
  return { ...row, state: 'retired', retired_at: row.retired_at ?? row.revoked_at }
}
