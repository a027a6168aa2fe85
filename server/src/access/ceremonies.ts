import type { CeremoniesTable, Db } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { CeremonyId, Identifiers } from '../runtime/identifiers.ts'

type Kind = CeremoniesTable['kind']

export const CEREMONY_MS = 5 * 60_000

/** Pending WebAuthn and OpenID Connect exchanges. Stored in the database, so that any node can complete them. */
export type Ceremonies = ReturnType<typeof ceremonies>

export function ceremonies(db: Db, clock: Clock, identifiers: Pick<Identifiers, 'ceremonyId'>) {
  return {
    begin: async (kind: Kind, expected: object): Promise<CeremonyId> => {
      const ceremony_id = identifiers.ceremonyId()
      const expires_at = timestamp(clock.now() + CEREMONY_MS)
      const row = { ceremony_id, kind, expected: JSON.stringify(expected), expires_at }
      await db.insertInto('ceremonies').values(row).execute()
      return ceremony_id
    },
    find: async <Expected>(kind: Kind, id: string): Promise<Expected> =>
      expectedOf(
        await db
          .selectFrom('ceremonies')
          .select('expected')
          .where('ceremony_id', '=', id as CeremonyId)
          .where('kind', '=', kind)
          .where('expires_at', '>', timestamp(clock.now()))
          .executeTakeFirst(),
      ),
    /** Deletes the ceremony, so that it can be completed once only. */
    end: async <Expected>(kind: Kind, id: string): Promise<Expected> =>
      expectedOf(
        await db
          .deleteFrom('ceremonies')
          .where('ceremony_id', '=', id as CeremonyId)
          .where('kind', '=', kind)
          .where('expires_at', '>', timestamp(clock.now()))
          .returning('expected')
          .executeTakeFirst(),
      ),
  }
}

function expectedOf<Expected>(row: Pick<CeremoniesTable, 'expected'> | undefined): Expected {
  if (row === undefined)
    throw new Refusal('ceremony_over', 'This attempt has expired or was already completed. Start again.')
  return JSON.parse(row.expected) as Expected
}
