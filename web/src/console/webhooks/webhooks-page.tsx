import type { Webhook } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
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
    <Permitted to="webhooks" title={t('console.titles.webhooks')} lead={t('console.webhooks.lead')}>
      <Webhooks />
    </Permitted>
  )
}

function Webhooks() {
  const list = useLiveQuery(WEBHOOKS, api.listWebhooks)
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<Webhook>()
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setIsAdding(true)}>
      {t('console.webhooks.create')}
    </Button>
  )
  const webhooks = list.data?.data
  return (
    <>
      <Heading
        title={t('console.titles.webhooks')}
        lead={
          <>
            {t('console.webhooks.lead')}{' '}
            <a href="/docs/how-to/receive-webhooks">{t('console.webhooks.guide')}</a>
          </>
        }
        actions={add}
      />
      {made?.secret !== undefined && (
        <NewSecret
          secret={{
            title: t('console.webhooks.secret.title'),
            text: t('console.webhooks.secret.text'),
            what: t('console.webhooks.secret.what'),
            value: made.secret,
          }}
          onDone={() => setMade(undefined)}
        />
      )}
      <QueryState query={list} />
      {webhooks?.length === 0 && (
        <EmptyCard
          icon="webhook"
          title={t('console.webhooks.none.title')}
          text={t('console.webhooks.none.text')}
        />
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
  return (
    <Card className="flush">
      <RowTable
        rows={webhooks}
        keyOf={({ webhook_id }) => webhook_id}
        columns={[
          {
            name: t('console.webhooks.columns.url'),
            of: 'titles',
            cell: ({ webhook_id, url }) => (
              <Link className="row-link" href={`/console/webhooks/${webhook_id}`}>
                {url}
              </Link>
            ),
            below: ({ description }) => description || null,
          },
          { name: t('console.webhooks.columns.events'), cell: eventsText },
          {
            name: t('console.webhooks.columns.status'),
            cell: (webhook) => <WebhookState webhook={webhook} />,
          },
        ]}
      />
    </Card>
  )
}
