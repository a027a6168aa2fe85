import type { ReactNode } from 'react'

/** Columns of numbers are right-aligned; the title of an actions column is visually hidden. */
export type Column = string | { readonly name: string; readonly of: 'numbers' | 'actions' }

export interface TableProps {
  readonly columns: readonly Column[]
  readonly className?: string
  /** One or more `tbody` elements. */
  readonly children: ReactNode
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
