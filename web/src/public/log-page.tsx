import { base64, vkey } from '@kitseal/kit/internal'
import { Alert, Card, Facts, Heading, Notice } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { PublicFrame } from '../parts/frame.tsx'
import { RowTable } from '../parts/table.tsx'
import { Unavailable } from '../parts/unavailable.tsx'
import { instantText, numberText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { useLoaded } from '../core/use-loaded.ts'
import '../styles/home.css'
import { fetchLog, type PublishedLog } from './log-info.ts'

/** `/log`: the transparency log of this service. */
export function LogPage() {
  const { value: log, error, reload } = useLoaded(fetchLog)
  return (
    <PublicFrame title={t('log.title')}>
      <Heading title={t('log.title')} lead={t('log.lead')} />
      <div aria-live="polite" className="log-state">
        {log === undefined && error === undefined && <p className="quiet">{t('common.loading')}…</p>}
        {error !== undefined && (
          <Unavailable tone="warn" title={t('log.unavailable')} error={error} onRetry={reload} />
        )}
      </div>
      {log !== undefined && <Log log={log} />}
    </PublicFrame>
  )
}

function Log({ log }: { readonly log: PublishedLog }) {
  return (
    <>
      {log.frozen_at !== null && (
        <Notice tone="warn" title={t('log.frozenTitle')}>
          {t('log.frozen', { since: instantText(log.frozen_at) })}
        </Notice>
      )}
      {log.status.is !== 'signed' && <Alert text={t('log.notSigned')} />}
      <Checkpoint log={log} />
      <Witnesses log={log} />
      <Card title={t('log.monitor.title')}>
        <p>{t('log.monitor.text')}</p>
        <p className="command">
          <Code value={t('log.monitor.command', { issuer: log.issuer })} what={t('log.monitor.what')} />
        </p>
        <p>
          <a href="/docs/how-to/run-a-monitor">{t('log.monitor.guide')}</a>
        </p>
        <p className="quiet">
          {t('log.monitor.files')} <a href="/log/checkpoint">/log/checkpoint</a>,{' '}
          <a href="/log/policy">/log/policy</a>
        </p>
      </Card>
    </>
  )
}

function Checkpoint({ log }: { readonly log: PublishedLog }) {
  const { checkpoint, policy, status } = log
  const [own] = policy.logs
  return (
    <Card title={t('log.checkpoint')}>
      <Facts
        facts={[
          { name: t('log.size'), value: numberText(checkpoint.size) },
          { name: t('log.last'), value: instantText(log.updated_at) },
          { name: t('log.origin'), value: checkpoint.origin },
          { name: t('log.root'), value: <Code value={base64(checkpoint.root)} what={t('log.root')} /> },
          ...(own === undefined
            ? []
            : [{ name: t('log.key'), value: <Code value={vkey(own.key)} what={t('log.key')} /> }]),
          { name: t('log.signature'), value: status.is === 'signed' ? t('log.signed') : t('log.unsigned') },
        ]}
      />
    </Card>
  )
}

function Witnesses({ log: { policy, status } }: { readonly log: PublishedLog }) {
  const cosigned = new Map(
    status.is === 'signed' ? status.cosigned.map(({ name, time }) => [name, time]) : [],
  )
  return (
    <Card title={t('log.witnesses.title')}>
      <p className="quiet">
        {policy.witnesses.length === 0 ? t('log.witnesses.none') : t('log.witnesses.lead')}
      </p>
      {policy.witnesses.length > 0 && (
        <div className="key-table">
          <RowTable
            rows={policy.witnesses}
            keyOf={({ name }) => name}
            columns={[
              { name: t('log.witnesses.name'), cell: ({ key }) => key.name },
              {
                name: t('log.witnesses.key'),
                className: 'long',
                cell: ({ key }) => <Code value={vkey(key)} what={t('log.witnesses.key')} />,
              },
              {
                name: t('log.witnesses.seen'),
                className: 'nowrap',
                cell: ({ name }) => {
                  const time = cosigned.get(name)
                  return time === undefined ? t('log.witnesses.notYet') : instantText(new Date(time * 1000))
                },
              },
            ]}
          />
        </div>
      )}
    </Card>
  )
}
