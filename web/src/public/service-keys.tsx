import { Card } from '../parts/blocks.tsx'
import { RowTable } from '../parts/table.tsx'
import { Code } from '../parts/copy-button.tsx'
import { Unavailable } from '../parts/unavailable.tsx'
import { dayText } from '../readable.ts'
import { revokedHeading } from '../revoked-heading.ts'
import { texts } from '../texts/index.ts'
import type { ServiceInfo, ServiceKey } from '@kitseal/client/console'
import { useLoaded } from '../use-loaded.ts'
import { fetchServiceInfo } from '../verify/published-keys.ts'

/** The service's signing keys. */
export function ServiceKeys() {
  const { value: facts, error, reload } = useLoaded(fetchServiceInfo)
  const { keys: t } = texts.home
  return (
    <Card title={t.title}>
      <p className="quiet">{t.lead}</p>
      <div aria-live="polite" className="key-table">
        {facts === undefined && error === undefined && <p className="quiet">{texts.loading}…</p>}
        {error !== undefined && (
          <Unavailable tone="warn" title={t.unavailable} error={error} onRetry={reload} />
        )}
        {facts !== undefined && <KeyTable facts={facts} />}
      </div>
    </Card>
  )
}

function KeyTable({ facts }: { readonly facts: ServiceInfo }) {
  const { keys: t } = texts.home
  if (facts.keys.length === 0) return <p>{t.none}</p>
  return (
    <>
      <RowTable
        rows={facts.keys}
        keyOf={({ kid }) => kid}
        columns={[
          { name: t.kid, className: 'long', cell: ({ kid }) => <Code value={kid} what={t.kid} /> },
          { name: t.since, className: 'nowrap', cell: ({ since }) => dayText(since) },
          { name: t.status, cell: statusText },
        ]}
      />
      <p className="quiet">
        {t.issuer + texts.colon}
        <code>{facts.issuer}</code>
      </p>
    </>
  )
}

function statusText({ status, until }: ServiceKey): string {
  const { statuses } = texts.home.keys
  if (status === 'active') return statuses.active
  if (status === 'retired') return statuses.retired(dayText(until ?? ''))
  return statuses.revoked(revokedHeading(until ?? ''))
}
