import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { QUIETLY } from './client.ts'

interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

/** The page of a list that starts here, or the first one. */
export const pageAt = (cursor: string | null): { readonly cursor?: string } =>
  cursor === null ? {} : { cursor }

/** A list that is loaded page by page. Asking again for what is shown does not count as user activity. */
export function usePages<Row>(
  queryKey: QueryKey,
  ask: (page: { readonly cursor?: string }, options?: typeof QUIETLY) => Promise<ListPage<Row>>,
  refetchInterval: number | false = false,
) {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, client }) => {
      const isFirst = client.getQueryData(queryKey) === undefined || pageParam !== null
      return ask(pageAt(pageParam), isFirst ? undefined : QUIETLY)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  return { ...list, rows, isEmpty: list.data !== undefined && rows.length === 0 }
}
