// docs/decisions/0327
import type { MaybePromise, Prepared } from './prepared.ts'

/** A lookup by ID whose timing does not reveal whether the row exists. */
export interface ConstantTimeLookup<Id extends string, Row> {
  find(id: Id): MaybePromise<Row | undefined>
  /** Tells that a row exists, which was read otherwise. */
  noteExisting(id: Id): void
  /**
   * Await this before an error response. Finding a row takes some microseconds longer than finding none, so every error
   * costs one lookup that finds a row and one that does not.
   */
  equalizeTime(found: Row | undefined): MaybePromise<unknown>
}

export function constantTimeLookup<Id extends string, Row>(find: Prepared<Row>): ConstantTimeLookup<Id, Row> {
  let existingId: Id | undefined
  const remember = (id: Id, row: Row | undefined): Row | undefined => {
    if (row !== undefined) existingId = id
    return row
  }
  return {
    find: (id) => {
      const found = find(id)
      return found instanceof Promise ? found.then((row) => remember(id, row)) : remember(id, found)
    },
    noteExisting: (id) => {
      existingId = id
    },
    equalizeTime: (found) => find(found === undefined ? (existingId ?? UNKNOWN_ID) : UNKNOWN_ID),
  }
}

const UNKNOWN_ID = ''
