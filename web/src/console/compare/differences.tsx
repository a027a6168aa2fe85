import type { KitDifferences } from '@kitseal/client'
import { Badge } from '../../parts/badge.tsx'
import { Card, Notice } from '../../parts/blocks.tsx'
import { useFirstRows } from '../../parts/first-rows.tsx'
import type { IconName } from '../../parts/icons.tsx'
import { sizeText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'

interface Row {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved'
  readonly path: string
  readonly detail: string
}

const ICONS: Readonly<Record<Row['kind'], IconName>> = {
  added: 'plus',
  removed: 'dash',
  changed: 'retry',
  moved: 'compare',
}

export function Differences({ comparison }: { readonly comparison: KitDifferences }) {
  const { rows, more } = useFirstRows(rowsOf(comparison))
  const t = texts.console.compare
  const { added, removed, changed, moved, unchanged } = comparison
  return (
    <Card title={t.result}>
      <p role="status">
        {t.counts({
          added: added.length,
          removed: removed.length,
          changed: changed.length,
          moved: moved.length,
          unchanged,
        })}
      </p>
      {rows.length === 0 && <Notice tone="pass">{t.same}</Notice>}
      {rows.length > 0 && (
        <ul className="differences">
          {rows.map(({ kind, path, detail }) => (
            <li key={`${kind} ${path}`} className={kind}>
              <Badge icon={ICONS[kind]} look={kind}>
                {t.kinds[kind]}
              </Badge>
              <div>
                <p className="path">{path}</p>
                <p className="quiet">{detail}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {more}
    </Card>
  )
}

function rowsOf({ added, removed, changed, moved }: KitDifferences): readonly Row[] {
  const t = texts.console.compare
  const rows: readonly Row[] = [
    ...added.map(({ path, size_bytes }): Row => ({ kind: 'added', path, detail: sizeText(size_bytes) })),
    ...removed.map(({ path, size_bytes }): Row => ({
      kind: 'removed',
      path,
      detail: sizeText(size_bytes),
    })),
    ...changed.map(({ path, from, to }): Row => ({
      kind: 'changed',
      path,
      detail: t.changed(
        sizeText(from.size_bytes),
        sizeText(to.size_bytes),
        from.sha256.slice(0, 12),
        to.sha256.slice(0, 12),
      ),
    })),
    ...moved.map(({ from, to }): Row => ({ kind: 'moved', path: to, detail: t.moved(from) })),
  ]
  return rows.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
