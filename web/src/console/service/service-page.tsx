import type { ServiceCheck, ServicePage as Shown } from '@kitseal/client/console'
import { Badge } from '../../parts/badge.tsx'
import { Card, Heading, Notice } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { known, t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { useLiveQuery } from '../live-query.tsx'
import { QueryState } from '../problem.tsx'
import { OperatorsOnly, SERVICE } from './operators-only.tsx'
import { KeysCard, LogCard, QueueCard, StorageCard } from './service-cards.tsx'
import { MailCard } from './mail-card.tsx'

const REFRESH_MS = 5000
const HELP = '/docs/how-to/look-after-the-service'

/** The state of the service, for operators. */
export function ServicePage() {
  return (
    <OperatorsOnly title={t('console.titles.service')}>
      <Service />
    </OperatorsOnly>
  )
}

function Service() {
  const query = useLiveQuery([...SERVICE, 'status'], api.getService, () => REFRESH_MS)
  const { data } = query
  return (
    <>
      <Heading
        title={t('console.titles.service')}
        lead={
          data === undefined
            ? undefined
            : t('console.service.lead', { version: data.status.version, issuer: data.status.issuer ?? '' })
        }
        actions={<a href={HELP}>{t('console.service.help')}</a>}
      />
      <QueryState query={query} />
      {data !== undefined && <Status page={data} />}
    </>
  )
}

function Status({ page: { status, test_mail } }: { readonly page: Shown }) {
  return (
    <>
      <Verdict checks={status.checks} />
      <Checks checks={status.checks} />
      <StorageCard status={status} />
      <QueueCard queue={status.queue} />
      <MailCard mail={status.mail} test={test_mail} />
      <Nodes nodes={status.nodes} />
      <KeysCard keys={status.signing_keys} />
      <LogCard log={status.log} />
    </>
  )
}

function Verdict({ checks }: { readonly checks: readonly ServiceCheck[] }) {
  const count = (wanted: ServiceCheck['status']): number =>
    checks.filter(({ status }) => status === wanted).length
  if (count('fail') > 0)
    return <Notice tone="fail">{t('console.service.verdict.fail', { count: count('fail') })}</Notice>
  if (count('warn') > 0)
    return <Notice tone="warn">{t('console.service.verdict.warn', { count: count('warn') })}</Notice>
  return <Notice tone="pass">{t('console.service.verdict.ok')}</Notice>
}

const LOOKS = {
  ok: { icon: 'check', look: 'passed' },
  warn: { icon: 'warning', look: 'changed' },
  fail: { icon: 'cross', look: 'failed' },
} as const
const ORDER = ['fail', 'warn']

/** What failed comes first, and what is fine is one line. */
function Checks({ checks }: { readonly checks: readonly ServiceCheck[] }) {
  const problems = checks.filter(({ status }) => status !== 'ok')
  return (
    <Card title={t('console.service.checks.title')}>
      {problems.length > 0 && (
        <RowTable
          rows={problems.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))}
          keyOf={({ check }) => check}
          dataOf={({ check, status }) => ({ 'data-check': check, 'data-status': status })}
          columns={[
            {
              name: t('console.service.checks.columns.check'),
              of: 'titles',
              cell: ({ check }) => known(`console.service.checks.names.${check}`) ?? check,
            },
            {
              name: t('console.service.checks.columns.status'),
              cell: ({ status }) => (
                <Badge {...LOOKS[status]}>{t(`console.service.checks.statuses.${status}`)}</Badge>
              ),
            },
            {
              name: t('console.service.checks.columns.problem'),
              className: 'long',
              cell: ({ problem }) => problem,
            },
          ]}
        />
      )}
      <ul className="row" aria-label={t('console.service.checks.statuses.ok')}>
        {checks
          .filter(({ status }) => status === 'ok')
          .map(({ check, status }) => (
            <li key={check} data-check={check} data-status={status}>
              <Badge {...LOOKS.ok}>{known(`console.service.checks.names.${check}`) ?? check}</Badge>
            </li>
          ))}
      </ul>
    </Card>
  )
}

function Nodes({ nodes }: { readonly nodes: Shown['status']['nodes'] }) {
  return (
    <Card title={t('console.service.nodes.title')}>
      <RowTable
        rows={nodes}
        keyOf={({ name }) => name}
        columns={[
          { name: t('console.service.nodes.columns.name'), of: 'titles', cell: ({ name }) => name },
          { name: t('console.service.nodes.columns.role'), cell: ({ role }) => role },
          { name: t('console.service.nodes.columns.version'), cell: ({ version }) => version },
          {
            name: t('console.service.nodes.columns.started'),
            cell: ({ started_at }) => <Time at={started_at} />,
          },
          {
            name: t('console.service.nodes.columns.seen'),
            cell: ({ seen_at }) => <Time at={seen_at} as="ago" />,
          },
        ]}
      />
    </Card>
  )
}
