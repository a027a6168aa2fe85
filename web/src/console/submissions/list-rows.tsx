import type { SubmissionSummary } from '@kitseal/client'
import { Checkbox } from '@mantine/core'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../core/router.tsx'
import { sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { RevokedBadge, StageBadge } from '../stage-badge.tsx'

export interface ListRowsProps {
  readonly rows: readonly SubmissionSummary[]
  /** IDs of the selected submissions. */
  readonly chosen: ReadonlySet<string>
  onChoose(chosen: ReadonlySet<string>): void
  onTag(tag: string): void
}

export function ListRows({ rows, chosen, onChoose, onTag }: ListRowsProps) {
  const count = rows.filter(({ submission_id }) => chosen.has(submission_id)).length
  const choose = (id: string): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  return (
    <section className="card flush" aria-label={t('console.titles.submissions')}>
      <table className="table stacked list">
        <thead>
          <tr>
            <th scope="col" className="select">
              <Checkbox
                aria-label={t('console.list.selectAll')}
                checked={count === rows.length}
                indeterminate={count > 0 && count < rows.length}
                onChange={() =>
                  onChoose(
                    new Set(count === rows.length ? [] : rows.map(({ submission_id }) => submission_id)),
                  )
                }
              />
            </th>
            {(
              [
                t('console.list.columns.label'),
                t('console.list.columns.status'),
                t('console.list.columns.files'),
                t('console.list.columns.sender'),
              ] as const
            ).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">{t('console.list.columns.created')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.submission_id}>
              <td className="select">
                <Checkbox
                  aria-label={t('console.list.select', { label: row.label })}
                  checked={chosen.has(row.submission_id)}
                  onChange={() => choose(row.submission_id)}
                />
              </td>
              <td className="list-label long">
                <Link href={`/console/submissions/${row.submission_id}`} className="row-link">
                  {row.label}
                </Link>
                <Marks row={row} onTag={onTag} />
              </td>
              <td>
                <Status row={row} />
              </td>
              <td className="quiet nowrap">
                {t('console.files', { count: row.file_count })}, {sizeText(row.size_bytes)}
              </td>
              <td className="quiet long sender">{row.created_by ?? t('console.list.noSender')}</td>
              <td className="quiet nowrap">
                <Time at={row.created_at} as="ago" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  readonly row: SubmissionSummary
}

/** Series, tags and external ID. */
function Marks({ row, onTag }: RowProps & Pick<ListRowsProps, 'onTag'>) {
  const { series, tags, external_id } = row
  if (series === null && external_id === null && tags.length === 0) return null
  return (
    <span className="marks">
      {series !== null && <span className="mark plain">{t('console.list.inSeries', { series })}</span>}
      {external_id !== null && <span className="mark plain">{external_id}</span>}
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="mark"
          aria-label={t('console.list.withTag', { tag })}
          onClick={() => onTag(tag)}
        >
          {tag}
        </button>
      ))}
    </span>
  )
}

function Status({ row }: RowProps) {
  return (
    <>
      {row.key_revoked_at === null ? (
        <StageBadge stage={row.stage} accepted={row.accepted} />
      ) : (
        <RevokedBadge revokedAt={row.key_revoked_at} />
      )}
      {row.replaced_by !== null && (
        <>
          {' '}
          <span className="quiet nowrap">{t('console.list.reissued')}</span>
        </>
      )}
      {row.blocker_count > 0 && (
        <>
          {' '}
          <span className="quiet nowrap">
            {t('findings.blockers', { count: row.blocker_count, areMore: false })}
          </span>
        </>
      )}
    </>
  )
}
