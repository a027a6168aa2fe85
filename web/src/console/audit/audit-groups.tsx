import { Card } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { localText, Time } from '../../parts/time.tsx'
import { Link } from '../../core/router.tsx'
import { sizeText } from '../../core/readable.ts'
import { known, t } from '../../core/texts.ts'
import type { AuditTrail } from '@kitseal/client'

type NamedEvent = AuditTrail['data'][number]

interface Group {
  readonly key: string
  readonly submission: NonNullable<NamedEvent['submission']> | null
  readonly events: NamedEvent[]
}

/** Events of one submission are together, at the place of its newest one. */
export function groupsOf(events: readonly NamedEvent[]): readonly Group[] {
  const groups: Group[] = []
  const bySubmission = new Map<string, Group>()
  for (const event of events) {
    const id = event.submission?.submission_id
    let group = id === undefined ? undefined : bySubmission.get(id)
    if (group === undefined) {
      group = { key: id ?? `${event.seq}`, submission: event.submission ?? null, events: [] }
      groups.push(group)
      if (id !== undefined) bySubmission.set(id, group)
    }
    group.events.push(event)
  }
  return groups
}

export function AuditGroups({ events }: { readonly events: readonly NamedEvent[] }) {
  return (
    <Card className="flush">
      <Table
        columns={[
          t('console.audit.columns.at'),
          t('console.audit.columns.action'),
          t('console.audit.columns.who'),
        ]}
      >
        {groupsOf(events).map(({ key, submission, events: own }) => (
          <tbody key={key}>
            {submission !== null && (
              <tr className="audit-group">
                <th colSpan={3} scope="rowgroup">
                  <Link href={`/console/submissions/${submission.submission_id}`}>{submission.label}</Link>
                </th>
              </tr>
            )}
            {own.map((event) => (
              <Row key={event.seq} event={event} isGrouped={submission !== null} />
            ))}
          </tbody>
        ))}
      </Table>
    </Card>
  )
}

function Row({ event, isGrouped }: { readonly event: NamedEvent; readonly isGrouped: boolean }) {
  const { at, action, actor, by, subject, subject_name, details } = event
  const shown = detailsText(details)
  return (
    <tr className={isGrouped ? 'audit-grouped' : undefined}>
      <td className="nowrap quiet">
        <Time at={at} />
      </td>
      <td className="long">
        <span className="strong">{sentenceOf(action)}</span>
        {!isGrouped && !subject.startsWith('ws_') && (
          <span className="audit-names">{subject_name ?? (isGenerated(subject) ? null : subject)}</span>
        )}
        {shown !== '' && <span className="quiet below">{shown}</span>}
      </td>
      <td data-name={t('console.audit.columns.who')} className="long">
        {typeof by === 'string' && actor !== 'member'
          ? t('console.audit.byMeans', { means: t(`console.audit.actors.${actor}`), name: by })
          : (by ?? t(`console.audit.actors.${actor}`))}
      </td>
    </tr>
  )
}

/** A newer service may record actions that this page does not know. */
const sentenceOf = (action: string): string => known(`console.audit.actions.${action}`) ?? action

/** IDs are in the export and in the API. Here they say nothing. */
const isGenerated = (text: string): boolean => /^[a-z]+_[\w-]{20,}$/.test(text)

const detailsText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== false)
    .filter(([, value]) => typeof value !== 'string' || !isGenerated(value))
    .map(([name, value]) =>
      value === true ? name.replaceAll('_', ' ') : `${name.replaceAll('_', ' ')}: ${valueText(name, value)}`,
    )
    .join(', ')

function valueText(name: string, value: unknown): string {
  if (name === 'bytes' && typeof value === 'number') return sizeText(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (name.endsWith('_at')) return localText(value)
  // Codes of findings
  return name === 'accept' ? value.replaceAll('_', ' ') : value
}
