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
