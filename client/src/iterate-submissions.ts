import type { SubmissionList } from './api-types.generated.ts'
import type { SummaryState } from './submission-states.ts'
import type { Ask, CallOptions, Query } from './call.ts'

/** Asks for the next page when the entries of this one are used up. */
export async function* iterateSubmissions(
  ask: Ask,
  query: Omit<Query<'listSubmissions'>, 'cursor'>,
  options: CallOptions,
): AsyncGenerator<SummaryState, void, undefined> {
  let next: string | null = null
  do {
    const page: SubmissionList = await ask(
      'listSubmissions',
      { ...query, ...(next !== null && { cursor: next }) },
      options,
    )
    yield* page.data as readonly SummaryState[]
    next = page.next_cursor
  } while (next !== null)
}
