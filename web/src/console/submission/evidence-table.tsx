import { Table } from '../../parts/table.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'

export interface TableFile {
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
}

export interface TablePart {
  readonly title?: string
  readonly files: readonly TableFile[]
}

/** Files with their hashes, grouped by kind. */
export function EvidenceTable({ parts }: { readonly parts: readonly TablePart[] }) {
  return (
    <Table
      columns={[
        t('console.inventory.path'),
        t('console.inventory.sha256'),
        { name: t('console.inventory.size'), of: 'numbers' },
      ]}
      className="inventory"
    >
      {parts.map((part, index) => (
        <Part key={part.title ?? index} part={part} />
      ))}
    </Table>
  )
}

function Part({ part: { title, files } }: { readonly part: TablePart }) {
  const { rows, more } = useFirstRows(files)
  return (
    <tbody>
      {title !== undefined && (
        <tr className="part-title">
          <th scope="rowgroup" colSpan={3}>
            {title}
          </th>
        </tr>
      )}
      {rows.map(({ name, sha256, size_bytes }) => (
        <tr key={name}>
          <td className="path">{nameText(name)}</td>
          <td className="hash">
            <span className="code">
              <code title={sha256}>
                {sha256.slice(0, 12)}…{sha256.slice(-8)}
              </code>
              <CopyButton value={sha256} what={t('console.inventory.hashOf', { name })} />
            </span>
          </td>
          <td className="number">{sizeText(size_bytes)}</td>
        </tr>
      ))}
      {more !== null && (
        <tr>
          <td colSpan={3}>{more}</td>
        </tr>
      )}
    </tbody>
  )
}
