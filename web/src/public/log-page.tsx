import { base64, vkey } from '@kitseal/kit/internal'
import { Alert, Card, Facts, Heading, Notice } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { PublicFrame } from '../parts/public-frame.tsx'
import { RowTable } from '../parts/table.tsx'
import { Unavailable } from '../parts/unavailable.tsx'
import { instantText, numberText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { useLoaded } from '../use-loaded.ts'
import '../styles/home.css'
import { fetchLog, type PublishedLog } from './log-info.ts'

/** `/log`: the transparency log of this service. */
export function LogPage() {
  const { value: log, error, reload } = useLoaded(fetchLog)
  const { log: t } = texts
  return (
    <PublicFrame title={t.title}>
      <Heading title={t.title} lead={t.lead} />
      <div aria-live="polite" className="log-state">
        {log === undefined && error === undefined && <p className="quiet">{texts.loading}…</p>}
        {error !== undefined && (
          <Unavailable tone="warn" title={t.unavailable} error={error} onRetry={reload} />
        )}
      </div>
      {log !== undefined && <Log log={log} />}
    </PublicFrame>
  )
}

function Log({ log }: { readonly log: PublishedLog }) {
  const { log: t } = texts
  return (
    <>
      {log.frozen_at !== null && (
        <Notice tone="warn" title={t.frozenTitle}>
          {t.frozen(instantText(log.frozen_at))}
        </Notice>
      )}
      {log.status.is !== 'signed' && <Alert text={t.notSigned} />}
      <Checkpoint log={log} />
      <Witnesses log={log} />
      <Card title={t.monitor.title}>
        <p>{t.monitor.text}</p>
        <p className="command">
          <Code value={t.monitor.command(log.issuer)} what={t.monitor.what} />
        </p>
        <p>
          <a href="/docs/how-to/run-a-monitor">{t.monitor.guide}</a>
        </p>
        <p className="quiet">
          {t.monitor.files} <a href="/log/checkpoint">/log/checkpoint</a>,{' '}
          <a href="/log/policy">/log/policy</a>
        </p>
      </Card>
    </>
  )
}

function Checkpoint({ log }: { readonly log: PublishedLog }) {
  const { log: t } = texts
  const { checkpoint, policy, status } = log
  const [own] = policy.logs
  return (
    <Card title={t.checkpoint}>
      <Facts
        facts={[
          { name: t.size, value: numberText(checkpoint.size) },
          { name: t.last, value: instantText(log.updated_at) },
          { name: t.origin, value: checkpoint.origin },
          { name: t.root, value: <Code value={base64(checkpoint.root)} what={t.root} /> },
          ...(own === undefined ? [] : [{ name: t.key, value: <Code value={vkey(own.key)} what={t.key} /> }]),
          { name: t.signature, value: status.is === 'signed' ? t.signed : t.unsigned },
        ]}
      />
    </Card>
  )
}

function Witnesses({ log: { policy, status } }: { readonly log: PublishedLog }) {
  const { witnesses: t } = texts.log
  const cosigned = new Map(
    status.is === 'signed' ? status.cosigned.map(({ name, time }) => [name, time]) : [],
  )
  return (
    <Card title={t.title}>
      <p className="quiet">{policy.witnesses.length === 0 ? t.none : t.lead}</p>
      {policy.witnesses.length > 0 && (
        <div className="key-table">
          <RowTable
            rows={policy.witnesses}
            keyOf={({ name }) => name}
            columns={[
              { name: t.name, cell: ({ key }) => key.name },
              { name: t.key, className: 'long', cell: ({ key }) => <Code value={vkey(key)} what={t.key} /> },
              {
                name: t.seen,
                className: 'nowrap',
                cell: ({ name }) => {
                  const time = cosigned.get(name)
                  return time === undefined ? t.notYet : instantText(new Date(time * 1000))
                },
              },
            ]}
          />
        </div>
      )}
    </Card>
  )
}
