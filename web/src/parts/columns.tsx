/** Columns of numbers are right-aligned; the title of an actions column is visually hidden. */
export type Column = string | { readonly name: string; readonly of: 'numbers' | 'actions' }

export function Columns({ columns }: { readonly columns: readonly Column[] }) {
  return (
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
  )
}
