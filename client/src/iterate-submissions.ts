import type { Operations, SubmissionSummary } from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

export type ListQuery = Operations['listSubmissions']['query']

/** Asks for the next page when the entries of this one are used up. */
export async function* iterateSubmissions(
  transport: Transport,
  query: Omit<ListQuery, 'cursor'>,
  options?: CallOptions,
): AsyncGenerator<SubmissionSummary, void, undefined> {
  let next: string | null = null
  do {
    const page: ListQuery = { ...query, ...(next === null ? {} : { cursor: next }) }
    const { data } = await call(transport, 'listSubmissions', page, options)
    yield* data.data
    next = data.next_cursor
  } while (next !== null)
}
