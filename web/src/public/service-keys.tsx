import { Button } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import type { Fetched } from '../fetch-json.ts'
import { Card, Notice } from '../parts/blocks.tsx'
import { Table } from '../parts/table.tsx'
import { Code } from '../parts/copy-button.tsx'
import { dayText } from '../readable.ts'
import { revokedHeading } from '../revoked-heading.ts'
import { texts } from '../texts/index.ts'
import type { ServiceInfo, ServiceKey } from '@kitseal/client/console'
import { fetchServiceInfo } from './service-info.ts'

/** The service's signing keys. */
export function ServiceKeys() {
  const [facts, setFacts] = useState<Fetched<ServiceInfo>>()
  const load = useCallback(() => void fetchServiceInfo().then(setFacts), [])
  useEffect(load, [load])
  const { keys: t } = texts.home
  return (
    <Card title={t.title}>
      <p className="quiet">{t.lead}</p>
      <div aria-live="polite" className="key-table">
        {facts === undefined && <p className="quiet">{texts.loading}…</p>}
        {facts?.ok === false && (
          <Notice tone="warn" title={t.unavailable}>
            <p>{facts.message}</p>
            <Button variant="default" size="compact-sm" onClick={load}>
              {texts.problem.retry}
            </Button>
          </Notice>
        )}
        {facts?.ok === true && <KeyTable facts={facts.value} />}
      </div>
    </Card>
  )
}

function KeyTable({ facts }: { readonly facts: ServiceInfo }) {
  const { keys: t } = texts.home
  if (facts.keys.length === 0) return <p>{t.none}</p>
  return (
    <>
      <Table columns={[t.kid, t.since, t.status]}>
        <tbody>
          {facts.keys.map((key) => (
            <tr key={key.kid}>
              <td data-name={t.kid} className="long">
                <Code value={key.kid} what={t.kid} />
              </td>
              <td data-name={t.since} className="nowrap">
                {dayText(key.since)}
              </td>
              <td data-name={t.status}>{statusText(key)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="quiet">
        {t.issuer}: <code>{facts.issuer}</code>
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
