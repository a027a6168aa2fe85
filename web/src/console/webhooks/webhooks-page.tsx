import type { Webhook } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { NewSecret } from '../keys/new-secret.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { Permitted } from '../permitted.tsx'
import { QueryState } from '../problem.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { eventsText, type ListedWebhook, WEBHOOKS, WebhookState } from './webhook-state.tsx'

/** The webhooks of the workspace. */
export function WebhooksPage() {
  return (
    <Permitted to="webhooks" title={texts.console.titles.webhooks} lead={texts.console.webhooks.lead}>
      <Webhooks />
    </Permitted>
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
      <QueryState query={list} />
      {webhooks?.length === 0 && <EmptyCard icon="webhook" {...t.none} />}
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
      <RowTable
        rows={webhooks}
        keyOf={({ webhook_id }) => webhook_id}
        columns={[
          {
            name: t.columns.url,
            of: 'titles',
            cell: ({ webhook_id, url }) => (
              <Link className="row-link" href={`/console/webhooks/${webhook_id}`}>
                {url}
              </Link>
            ),
            below: ({ description }) => description || null,
          },
          { name: t.columns.events, cell: eventsText },
          { name: t.columns.status, cell: (webhook) => <WebhookState webhook={webhook} /> },
        ]}
      />
    </Card>
  )
}
