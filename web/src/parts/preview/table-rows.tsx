/** Rows of text. The first one names the columns. */
export function TableRows({ rows: [head = [], ...rest] }: { readonly rows: readonly (readonly string[])[] }) {
  const columns = Math.max(head.length, ...rest.map((row) => row.length))
  const indexes = Array.from({ length: columns }, (_, index) => index)
  return (
    <table>
      <thead>
        <tr>
          {indexes.map((index) => (
            <th key={index} scope="col">
              {head[index]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rest.map((row, at) => (
          <tr key={at}>
            {indexes.map((index) => (
              <td key={index}>{row[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
