import type { Eventually, Prepared } from './prepared.ts'

/** A look-up by an id that whoever asks may not be told anything about. */
export interface EvenLookUp<Id extends string, Row> {
  find(id: Id): Eventually<Row | undefined>
  /**
   * To be waited for before a refusal. To find a row takes some microseconds longer than to find none: so a refusal costs
   * one look-up that finds a row and one that does not, whichever of the two was asked for.
   */
  even(found: Row | undefined): Eventually<unknown>
}

export function evenLookUp<Id extends string, Row>(find: Prepared<Row>): EvenLookUp<Id, Row> {
  let known: Id | undefined
  const remember = (id: Id, row: Row | undefined): Row | undefined => {
    if (row !== undefined) known = id
    return row
  }
  return {
    find: (id) => {
      const found = find(id)
      return found instanceof Promise ? found.then((row) => remember(id, row)) : remember(id, found)
    },
    even: (found) => find(found === undefined ? (known ?? NOBODY) : NOBODY),
  }
}

/** No id of anything. */
const NOBODY = ''
