import type { AuditTrail } from '@kitseal/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { instantText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { get, queryText } from '../api.ts'
import { LoadMore } from '../load-more.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { Loading, Problem } from '../problem.tsx'
import { SubmissionLink } from '../submission-link.tsx'
import type { MemberList } from '../api-types.generated.ts'

type AuditEvent = AuditTrail['events'][number]

export function AuditPage() {
  const trail = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => get<AuditTrail>(`/v1/audit${queryText({ cursor: pageParam })}`),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
  const rows = trail.data?.pages.flatMap(({ events }) => events) ?? []
  const t = texts.console.audit
  return (
    <>
      <Heading title={texts.console.titles.audit} lead={t.lead} />
      {trail.error !== null && <Problem error={trail.error} onRetry={() => void trail.refetch()} />}
      {trail.isPending && <Loading />}
      {trail.data !== undefined && rows.length === 0 && <Empty icon="list" title={t.none} />}
      {rows.length > 0 && <Rows rows={rows} />}
      <LoadMore query={trail} />
    </>
  )
}

function Rows({ rows }: { readonly rows: readonly AuditEvent[] }) {
  const members = useLiveQuery<MemberList>(['members'], '/members')
  const emails = new Map(members.data?.members.map(({ member_id, email }) => [member_id, email]))
  const t = texts.console.audit
  const who = ({ actor, member_id }: AuditEvent): string =>
    actor === 'member' ? (emails.get(member_id ?? '') ?? member_id ?? t.actors.member) : t.actors[actor]
  return (
    <Card className="flush">
      <Table columns={[t.columns.at, t.columns.action, t.columns.who]}>
        <tbody>
          {rows.map((row) => (
            <tr key={row.sequence}>
              <td className="nowrap quiet">{instantText(row.at)}</td>
              <td className="long">
                <span className="strong">{sentenceOf(row.action)}</span>
                <span className="audit-names">
                  <code className="quiet">{row.action}</code> <Subject id={row.subject} />
                </span>
                <span className="quiet below">{detailsText(row.details)}</span>
              </td>
              <td data-name={t.columns.who} className="long">
                {row.key_id === null ? who(row) : <code>{row.key_id}</code>}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

/** A newer service may record actions that this page does not know. */
function sentenceOf(action: string): string {
  const sentences: Readonly<Record<string, string>> = texts.console.audit.actions
  return sentences[action] ?? action
}

function Subject({ id }: { readonly id: string }) {
  if (!id.startsWith('sub_')) return <code className="quiet">{id}</code>
  return <SubmissionLink id={id} />
}

const detailsText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(name, value)}`)
    .join(', ')

function valueText(name: string, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return name.endsWith('_at') ? instantText(value) : value
}
