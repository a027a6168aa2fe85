import type { ServicePage as Shown, ServiceStatus } from '../../core/console-types.generated.ts'
import type { ReactNode } from 'react'
import { numberText, sizeText } from '../../core/readable.ts'
import { known, t } from '../../core/texts.ts'
import { Card, Facts, Heading, Notice, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/status.tsx'
import { RowTable } from '../../parts/list.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { useChange, useLiveQuery } from '../queries.tsx'
import { useMe } from '../session.tsx'

/** The queries about the service. */
export const SERVICE = ['service'] as const

const REFRESH_MS = 5000
const HELP = '/docs/how-to/look-after-the-service'

/** The state of the service. */
export default function ServicePage() {
  const query = useLiveQuery([...SERVICE, 'status'], api.getService, () => REFRESH_MS)
  if (query.data === undefined) return <QueryState query={query} />
  const { status, test_mail } = query.data
  return (
    <>
      <Heading
        title={t('console.titles.service')}
        lead={t('console.service.lead', { version: status.version, issuer: status.issuer ?? '' })}
        actions={<a href={HELP}>{t('console.service.help')}</a>}
      />
      <Problem error={query.error} />
      <Checks checks={status.checks} />
      <Card title={t('console.service.storage.title')}>
        <Storage {...status} />
      </Card>
      <Card title={t('console.service.queue.title')}>
        <Facts
          texts="console.service.queue"
          facts={{
            waiting: status.queue.waiting,
            running: status.queue.running,
            oldest: since(status.queue.oldest_at, t('console.service.queue.none')),
          }}
        />
      </Card>
      <Mail mail={status.mail} test={test_mail} />
      <Card title={t('console.service.nodes.title')}>
        <RowTable
          rows={status.nodes}
          texts="console.service.nodes.columns"
          columns={[
            { name: 'name', of: 'titles', cell: ({ name }) => name },
            { name: 'role', cell: ({ role }) => role },
            { name: 'version', cell: ({ version }) => version },
            { name: 'started', cell: ({ started_at }) => <Time at={started_at} /> },
            { name: 'seen', cell: ({ seen_at }) => <Time at={seen_at} as="ago" /> },
          ]}
        />
      </Card>
      <Card title={t('console.service.keys.title')}>
        <p className="quiet">{t('console.service.keys.hint')}</p>
        <RowTable
          rows={status.signing_keys}
          texts="console.service.keys.columns"
          columns={[
            { name: 'kid', of: 'titles', cell: ({ kid }) => <code>{kid}</code> },
            {
              name: 'state',
              cell: ({ state }) => <Status of="key" is={state} texts="console.service.keys.states" />,
            },
            { name: 'since', cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      </Card>
      <Card title={t('console.service.log.title')}>
        {status.log === null ? <p>{t('console.service.log.none')}</p> : <Log log={status.log} />}
      </Card>
    </>
  )
}

/** A time and how long ago it was. */
const since = (at: string | null, never: string): ReactNode => (
  <>
    <Time at={at} never={never} /> <Time at={at} as="ago" className="quiet nowrap" />
  </>
)

const ORDER = ['fail', 'warn', 'ok']

const nameOf = (check: string): string => known(`console.service.checks.names.${check}`) ?? check

/** What failed comes first, and what is fine is one line. */
function Checks({ checks }: { readonly checks: ServiceStatus['checks'] }) {
  const of = (wanted: string) => checks.filter(({ status }) => status === wanted)
  const worst = ORDER.find((status) => of(status).length > 0) ?? 'ok'
  return (
    <>
      <Notice tone={worst === 'fail' ? 'fail' : worst === 'warn' ? 'warn' : 'pass'}>
        {known(`console.service.verdict.${worst}`, { count: of(worst).length })}
      </Notice>
      <Card title={t('console.service.checks.title')}>
        {[...of('fail'), ...of('warn')].map(({ check, status, problem }) => (
          <p key={check} data-check={check} data-status={status}>
            <Status of="check" is={status} texts="console.service.checks.statuses" />{' '}
            <span className="strong">{nameOf(check)}</span> {problem}
          </p>
        ))}
        <ul className="row" aria-label={t('console.service.checks.statuses.ok')}>
          {of('ok').map(({ check }) => (
            <li key={check} data-check={check} data-status="ok">
              <Status of="check" is="ok">
                {nameOf(check)}
              </Status>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function Storage({ storage, backup, scrub }: Pick<ServiceStatus, 'storage' | 'backup' | 'scrub'>) {
  return (
    <Facts
      texts="console.service.storage"
      facts={{
        used: sizeText(storage.used_bytes),
        objects: t(`console.service.storage.places.${storage.objects}`),
        database: t(`console.service.storage.databases.${storage.database}`),
        backup: since(backup?.finished_at ?? null, t('console.service.storage.never')),
        scrub: (
          <>
            {since(scrub.finished_at, t('console.service.storage.notYet'))}
            <span className="below quiet">{t('console.service.storage.scrubHint')}</span>
          </>
        ),
      }}
      more={storage.disks.map(({ folder, free_bytes, size_bytes }) => ({
        name: t('console.service.storage.disk', { folder }),
        value: t('console.service.storage.free', { free: sizeText(free_bytes), size: sizeText(size_bytes) }),
      }))}
    />
  )
}

interface MailProps {
  readonly mail: ServiceStatus['mail']
  /** The newest test of this operator. */
  readonly test: Shown['test_mail']
}

const TONES = { queued: 'info', sent: 'pass', failed: 'fail' } as const

function Mail({ mail, test }: MailProps) {
  const { email } = useMe().member
  const testing = useChange(SERVICE, () => api.sendTestMail())
  return (
    <Card title={t('console.service.mail.title')}>
      {mail.is_on ? (
        <Facts
          texts="console.service.mail"
          facts={{
            waiting: mail.waiting,
            sent: since(mail.last_sent_at, t('console.service.storage.never')),
            failed: (
              <>
                {since(mail.last_failed_at, t('console.service.queue.none'))}
                <span className="below">{mail.last_problem}</span>
              </>
            ),
          }}
        />
      ) : (
        <p>{t('console.service.mail.off')}</p>
      )}
      <Problem error={testing.error} />
      {test !== null && (
        <Notice tone={TONES[test.status]}>
          <p role="status">{t(`console.service.mail.tests.${test.status}`, { email })}</p>
          {test.reason !== null && <p>{test.reason}</p>}
        </Notice>
      )}
      {mail.is_on && (
        <Button isBusy={testing.isPending} onClick={() => testing.mutate()}>
          {t('console.service.mail.test')}
        </Button>
      )}
    </Card>
  )
}

function Log({ log }: { readonly log: NonNullable<ServiceStatus['log']> }) {
  return (
    <Facts
      texts="console.service.log"
      facts={{
        origin: log.origin,
        size: numberText(log.size),
        checkpoint: since(log.updated_at, ''),
        waiting: log.waiting,
        frozen:
          log.frozen === null
            ? t('console.service.log.no')
            : t('console.service.log.frozenSince', { reason: log.frozen.reason }),
        witnesses: log.witnesses.length === 0 && t('console.service.log.noWitness'),
      }}
      more={log.witnesses.map(({ name, cosigned_at, problem }) => ({
        name: t('console.service.log.witness', { name }),
        value: (
          <>
            {since(cosigned_at, t('console.service.log.never'))}
            {problem !== null && <span className="below">{problem}</span>}
          </>
        ),
      }))}
    />
  )
}
