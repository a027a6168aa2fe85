import { Card } from '../parts/blocks.tsx'
import { RowTable } from '../parts/table.tsx'
import { Code } from '../parts/copy-button.tsx'
import { Unavailable } from '../parts/unavailable.tsx'
import { dayText } from '../core/readable.ts'
import { revokedHeading } from '../core/revoked-heading.ts'
import { t } from '../core/texts.ts'
import type { ServiceInfo, ServiceKey } from '@kitseal/client/console'
import { useLoaded } from '../core/use-loaded.ts'
import { fetchServiceInfo } from '../verify/published-keys.ts'

/** The service's signing keys. */
export function ServiceKeys() {
  const { value: facts, error, reload } = useLoaded(fetchServiceInfo)
  return (
    <Card title={t('home.keys.title')}>
      <p className="quiet">{t('home.keys.lead')}</p>
      <div aria-live="polite" className="key-table">
        {facts === undefined && error === undefined && <p className="quiet">{t('common.loading')}…</p>}
        {error !== undefined && (
          <Unavailable tone="warn" title={t('home.keys.unavailable')} error={error} onRetry={reload} />
        )}
        {facts !== undefined && <KeyTable facts={facts} />}
      </div>
    </Card>
  )
}

function KeyTable({ facts }: { readonly facts: ServiceInfo }) {
  if (facts.keys.length === 0) return <p>{t('home.keys.none')}</p>
  return (
    <>
      <RowTable
        rows={facts.keys}
        keyOf={({ kid }) => kid}
        columns={[
          {
            name: t('home.keys.kid'),
            className: 'long',
            cell: ({ kid }) => <Code value={kid} what={t('home.keys.kid')} />,
          },
          { name: t('home.keys.since'), className: 'nowrap', cell: ({ since }) => dayText(since) },
          { name: t('home.keys.status'), cell: statusText },
        ]}
      />
      <p className="quiet">
        {t('home.keys.issuer') + t('common.colon')}
        <code>{facts.issuer}</code>
      </p>
    </>
  )
}

function statusText({ status, until }: ServiceKey): string {
  if (status === 'active') return t('home.keys.statuses.active')
  if (status === 'retired') return t('home.keys.statuses.retired', { until: dayText(until ?? '') })
  return t('home.keys.statuses.revoked', { heading: revokedHeading(until ?? '') })
}
