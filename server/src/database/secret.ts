import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits for a link or cookie. The database stores its hash, which needs no salt. */
export function makeSecret(): { readonly text: string; readonly sha256: string } {
  const text = randomBytes(32).toString('base64url')
  return { text, sha256: secretHash(text) }
}

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** The hash of a secret. Undefined if the text is malformed. */
export const readSecret = (text: string | undefined): string | undefined =>
  text !== undefined && SECRET.test(text) ? secretHash(text) : undefined

const secretHash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A lookup by ID whose timing does not reveal whether the row exists. */
export interface ConstantTimeLookup<Id extends string, Row> {
  find(id: Id): Promise<Row | undefined>
  /**
   * Await this before an error response. Finding a row takes some microseconds longer than finding none, so every error
   * costs one lookup that finds a row and one that does not.
   */
  equalizeTime(found: Row | undefined): Promise<unknown>
}

export function constantTimeLookup<Id extends string, Row>(
  find: (id: Id) => Promise<Row | undefined>,
): ConstantTimeLookup<Id, Row> {
  let existingId: Id | undefined
  return {
    find: async (id) => {
      const row = await find(id)
      if (row !== undefined) existingId = id
      return row
    },
    equalizeTime: (found) => find(found === undefined ? (existingId ?? UNKNOWN_ID) : UNKNOWN_ID),
  }
}

const UNKNOWN_ID = '' as never
