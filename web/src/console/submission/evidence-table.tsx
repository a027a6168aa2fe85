import { CopyButton } from '../../parts/copy-button.tsx'
import { Columns } from '../../parts/columns.tsx'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { bytesText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'

export interface TableFile {
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
}

/** Files with their hashes to copy. */
export function EvidenceTable({ files }: { readonly files: readonly TableFile[] }) {
  const { rows, more } = useFirstRows(files)
  const t = texts.console.inventory
  return (
    <>
      <table className="table stacked inventory">
        <Columns columns={[t.path, t.sha256, { name: t.size, of: 'numbers' }]} />
        <tbody>
          {rows.map(({ name, sha256, size_bytes }) => (
            <tr key={name}>
              <td className="path">{name}</td>
              <td className="hash">
                <span className="code">
                  <code title={sha256}>
                    {sha256.slice(0, 16)}…{sha256.slice(-8)}
                  </code>
                  <CopyButton value={sha256} what={t.hashOf(name)} />
                </span>
              </td>
              <td className="number">{bytesText(size_bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  )
}
