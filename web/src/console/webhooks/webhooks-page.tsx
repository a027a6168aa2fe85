import type { Webhook } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, Empty, Heading, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Table } from '../../parts/table.tsx'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { NewSecret } from '../keys/new-secret.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { Loading, Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { WEBHOOKS } from './use-webhook.ts'
import { WebhookForm } from './webhook-form.tsx'
import { eventsText, type ListedWebhook, WebhookState } from './webhook-state.tsx'

/** The webhooks of the workspace. */
export function WebhooksPage() {
  const allowed = useAllowed('webhooks')
  if (allowed.is) return <Webhooks />
  return (
    <>
      <Heading title={texts.console.titles.webhooks} lead={texts.console.webhooks.lead} />
      <Notice tone="info">{allowed.why}</Notice>
    </>
  )
}

function Webhooks() {
  const list = useLiveQuery(WEBHOOKS, api.listWebhooks)
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<Webhook>()
  const t = texts.console.webhooks
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setIsAdding(true)}>
      {t.create}
    </Button>
  )
  const webhooks = list.data?.data
  return (
    <>
      <Heading
        title={texts.console.titles.webhooks}
        lead={
          <>
            {t.lead} <a href="/docs/how-to/receive-webhooks">{t.guide}</a>
          </>
        }
        actions={add}
      />
      {made?.secret !== undefined && (
        <NewSecret secret={{ ...t.secret, value: made.secret }} onDone={() => setMade(undefined)} />
      )}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {webhooks?.length === 0 && (
        <section className="card">
          <Empty icon="webhook" title={t.none.title}>
            {t.none.text}
          </Empty>
        </section>
      )}
      {webhooks !== undefined && webhooks.length > 0 && <Rows webhooks={webhooks} />}
      {isAdding && (
        <WebhookForm
          onClose={() => setIsAdding(false)}
          onSaved={(webhook) => {
            setIsAdding(false)
            setMade(webhook)
          }}
        />
      )}
    </>
  )
}

function Rows({ webhooks }: { readonly webhooks: readonly ListedWebhook[] }) {
  const t = texts.console.webhooks
  return (
    <Card className="flush">
      <Table columns={[t.columns.url, t.columns.events, t.columns.status]}>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.webhook_id}>
              <td className="long">
                <Link className="row-link" href={`/console/webhooks/${webhook.webhook_id}`}>
                  {webhook.url}
                </Link>
                {webhook.description !== '' && <span className="quiet below">{webhook.description}</span>}
              </td>
              <td data-name={t.columns.events}>{eventsText(webhook)}</td>
              <td data-name={t.columns.status}>
                <WebhookState webhook={webhook} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
