import { createHash } from 'node:crypto'
import { startPage } from '@kitseal/kit/internal/node'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { insertObjects } from '../objects/accepted-objects.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'

const NAME_LENGTH = 32

/** START-HERE.html is the same in every kit, so it is stored once, under its hash. That of earlier versions stays, for their kits. */
export async function storeStartPage(
  { db, objects }: { readonly db: Kysely<Database>; readonly objects: ObjectStore },
  issuer: string,
): Promise<StoredObject> {
  const page = startPage(issuer)
  const name = createHash('sha256').update(page).digest('hex').slice(0, NAME_LENGTH)
  const stored = await objects.put(page, name)
  await insertObjects(db, null, [stored])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return stored
}
