import { type ReactNode, useState } from 'react'
import { Link } from '../core/router.tsx'
import { type Below, known, t } from '../core/texts.ts'
import { QueryState } from './blocks.tsx'
import { Button } from './button.tsx'

export interface Column<Row, Group extends string> {
  /** Its title is the message of this name in `texts`. */
  readonly name: Below<Group>
  /** Titles of rows have no name on small screens. */
  readonly of?: 'titles'
  readonly className?: string
  cell(row: Row): ReactNode
  /** The page that the cell leads to. */
  href?(row: Row): string
  /** A quiet line below. Nothing if it is null. */
  below?(row: Row): ReactNode
}

/** A button at the end of a row. */
export interface RowAction {
  readonly text: string
  readonly isDangerous?: boolean
  readonly isBusy?: boolean
  run(): void
}

export interface RowTableProps<Row, Group extends string> {
  /** The group of messages that has the titles of the columns. */
  readonly texts: Group
  /** What is false is not shown. */
  readonly columns: readonly (Column<Row, Group> | false)[]
  readonly rows: readonly Row[]
  /** Attributes of the row, for tests. */
  dataOf?(row: Row): Readonly<Record<`data-${string}`, string | boolean>>
  /** What can be done with a row. What is false is not shown. */
  actions?(row: Row): readonly (RowAction | false)[]
  /** What a row is called, for screen readers that read its buttons. */
  subject?(row: Row): string
}

/** A table with one row for each thing of a list. On small screens, each row becomes a block with the titles of its columns. */
export function RowTable<Row, Group extends string>(props: RowTableProps<Row, Group>) {
  const { texts, rows, dataOf, actions, subject } = props
  const columns = props.columns.filter((column) => column !== false)
  const titleOf = (name: string): string => known(`${texts}.${name}`) ?? name
  return (
    <table className="table stacked">
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {titleOf(name)}
            </th>
          ))}
          {actions !== undefined && (
            <th scope="col">
              <span className="visually-hidden">{t('common.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index} {...dataOf?.(row)}>
            {columns.map(({ name, of, className = '', cell, href, below }) => (
              <td
                key={name}
                data-name={of === 'titles' ? undefined : titleOf(name)}
                className={of === 'titles' ? `long ${className}` : className}
              >
                {href === undefined ? cell(row) : <RowLink href={href(row)}>{cell(row)}</RowLink>}
                <Line>{below?.(row)}</Line>
              </td>
            ))}
            {actions !== undefined && (
              <td className="actions">
                {actions(row).map(
                  (action) =>
                    action !== false && (
                      <Button
                        key={action.text}
                        look="quiet"
                        size="small"
                        className={action.isDangerous === true ? 'bad' : ''}
                        isBusy={action.isBusy ?? false}
                        subject={subject?.(row)}
                        onClick={() => action.run()}
                      >
                        {action.text}
                      </Button>
                    ),
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Leads to the page of a row. */
export const RowLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <Link href={href} className="row-link">
    {children}
  </Link>
)

const Line = ({ children }: { readonly children: ReactNode }) =>
  children == null ? null : <span className="quiet below">{children}</span>

/** A query of a list, whole or page by page. */
interface ListQuery<Row> {
  readonly rows?: readonly Row[]
  readonly data?: unknown
  readonly error: unknown
  readonly isPending: boolean
  refetch(): Promise<unknown>
  readonly hasNextPage?: boolean
  readonly isFetchingNextPage?: boolean
  fetchNextPage?(): Promise<unknown>
}

export interface ListProps<Row, Group extends string> extends Omit<RowTableProps<Row, Group>, 'rows'> {
  readonly query: ListQuery<Row>
  /** If they are not those of the query. */
  readonly rows?: readonly Row[]
  /** Shown in place of the table. */
  readonly empty: ReactNode
}

/** A list of the service: its table, why it is not there, that it is empty, and the button that loads more. */
export function List<Row, Group extends string>(props: ListProps<Row, Group>) {
  const { query, rows: given, empty, ...table } = props
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

type Pages = Pick<ListQuery<unknown>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

/** Loads the next page of a list, if there is one. */
export function LoadMore({ query }: { readonly query: Pages }) {
  if (query.hasNextPage !== true) return null
  return (
    <div className="row centred">
      <Button isBusy={query.isFetchingNextPage ?? false} onClick={() => void query.fetchNextPage?.()}>
        {t('common.more')}
      </Button>
    </div>
  )
}

export interface EntriesProps<Row> {
  readonly rows: readonly Row[] | undefined
  /** A picture or a status. */
  mark(row: Row): ReactNode
  text(row: Row): ReactNode
  /** A time or a button. */
  end(row: Row): ReactNode
}

/** A short list without titles: a picture or a status, what it is about, and a time or a button. */
export function Entries<Row>({ rows = [], mark, text, end }: EntriesProps<Row>) {
  return (
    <ul className="entries lines">
      {rows.map((row, index) => (
        <li key={index}>
          {mark(row)}
          <div>{text(row)}</div>
          {end(row)}
        </li>
      ))}
    </ul>
  )
}

const FIRST = 200

/** The first 200 rows of a long list, and a button that shows the rest, if any. */
export function useFirstRows<T>(all: readonly T[]) {
  const [isWhole, setIsWhole] = useState(false)
  if (isWhole || all.length <= FIRST) return { rows: all, more: null }
  const more = <Button onClick={() => setIsWhole(true)}>{t('common.showAll', { count: all.length })}</Button>
  return { rows: all.slice(0, FIRST), more }
}
