import type { ReactNode } from 'react'
import { t } from '../core/texts.ts'
import { Button } from './button.tsx'
import { useFirstRows } from './first-rows.tsx'
import { QueryState } from './state.tsx'
import { RowTable, type RowTableProps } from './table.tsx'

/** A query of a list, whole or page by page. */
export interface ListQuery<Row> {
  readonly rows?: readonly Row[]
  readonly data?: unknown
  readonly error: unknown
  readonly isPending: boolean
  refetch(): Promise<unknown>
  readonly hasNextPage?: boolean
  readonly isFetchingNextPage?: boolean
  fetchNextPage?(): Promise<unknown>
}

export interface ListProps<Row> extends Omit<RowTableProps<Row>, 'rows'> {
  readonly query: ListQuery<Row>
  /** If they are not `query.rows`. */
  readonly rows?: readonly Row[]
  /** Shown in place of the table. */
  readonly empty: ReactNode
}

/** A list of the service: its table, why it is not there, that it is empty, and the button that loads more. */
export function List<Row>({ query, rows: given, empty, ...table }: ListProps<Row>) {
  const { rows, more } = useFirstRows(given ?? query.rows ?? [])
  if (query.data === undefined) return <QueryState query={query} />
  if (rows.length === 0 && query.hasNextPage !== true) return empty
  return (
    <>
      {query.error != null && <QueryState query={query} />}
      <RowTable rows={rows} {...table} />
      {more}
      {more === null && <LoadMore query={query} />}
    </>
  )
}

/** Loads the next page of a list, if there is one. */
export function LoadMore({
  query,
}: {
  readonly query: Pick<ListQuery<unknown>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}) {
  if (query.hasNextPage !== true) return null
  return (
    <div className="row centred">
      <Button isBusy={query.isFetchingNextPage ?? false} onClick={() => void query.fetchNextPage?.()}>
        {t('common.more')}
      </Button>
    </div>
  )
}
