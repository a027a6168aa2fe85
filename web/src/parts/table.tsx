import type { ReactNode } from 'react'

/** Columns of numbers are right-aligned; the title of an actions column is visually hidden. */
export type Column = string | { readonly name: string; readonly of: 'numbers' | 'actions' }

export interface TableProps {
  readonly columns: readonly Column[]
  readonly className?: string
  /** One or more `tbody` elements. */
  readonly children: ReactNode
}

export interface RowColumn<Row> {
  readonly name: string
  /** Titles of rows have no name on small screens. */
  readonly of?: 'titles' | 'numbers' | 'actions'
  readonly className?: string
  cell(row: Row): ReactNode
  /** A quiet line below. Nothing if it is null. */
  below?(row: Row): ReactNode
}

export interface RowTableProps<Row> {
  readonly columns: readonly RowColumn<Row>[]
  readonly rows: readonly Row[]
  readonly className?: string
  keyOf(row: Row, index: number): string | number
  /** Attributes of the row, for tests. */
  dataOf?(row: Row): Readonly<Record<`data-${string}`, string | boolean>>
}

const CELLS = { titles: 'long', numbers: 'number', actions: 'actions' } as const

/** A table with one row for each thing of a list. */
export function RowTable<Row>({ columns, rows, className = '', keyOf, dataOf }: RowTableProps<Row>) {
  return (
    <Table
      className={className}
      columns={columns.map(({ name, of }) => (of === 'numbers' || of === 'actions' ? { name, of } : name))}
    >
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} {...dataOf?.(row)}>
            {columns.map(({ name, of, className: own = '', cell, below }) => (
              <td
                key={name}
                data-name={of === 'titles' || of === 'actions' ? undefined : name}
                className={`${of === undefined ? '' : CELLS[of]} ${own}`.trim()}
              >
                {cell(row)}
                <Below>{below?.(row)}</Below>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Below({ children }: { readonly children: ReactNode }) {
  return children == null ? null : <span className="quiet below">{children}</span>
}

/** On small screens, each row becomes a block with the column names from `data-name`. */
export function Table({ columns, className = '', children }: TableProps) {
  return (
    <table className={`table stacked ${className}`}>
      <thead>
        <tr>
          {columns.map((column) => {
            const { name, of } = typeof column === 'string' ? { name: column, of: 'texts' } : column
            return (
              <th key={name} scope="col" className={of === 'numbers' ? 'number' : undefined}>
                {of === 'actions' ? <span className="visually-hidden">{name}</span> : name}
              </th>
            )
          })}
        </tr>
      </thead>
      {children}
    </table>
  )
}
