import type { WebhookList } from '@kitseal/client'
import { below, t } from '../core/texts.ts'
import { Card, Empty, Heading } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import { List } from '../parts/list.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { api } from './client.ts'
import { showOnce } from './one-time.tsx'
import { askChange, useLiveQuery } from './queries.tsx'

type Webhook = WebhookList['data'][number]

const WEBHOOKS = ['webhooks'] as const

/** The webhooks of the workspace. They are changed, tested and replayed with the API. */
export default function WebhooksPage() {
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
        actions={
          <Button look="main" icon="plus" onClick={addWebhook}>
            {t('console.webhooks.create')}
          </Button>
        }
      />
      <Webhooks />
    </>
  )
}

const TYPES = below('console.audit.actions').map(([value, label]) => ({ value, label: `${value}: ${label}` }))

const addWebhook = (): void =>
  askChange({
    title: t('console.webhooks.create'),
    action: t('console.webhooks.create'),
    stale: WEBHOOKS,
    texts: 'console.webhooks.form',
    // What most receivers want.
    initial: {
      url: '',
      description: '',
      events: 'all',
      types: ['submission.passed', 'submission.failed'] as readonly string[],
    },
    fields: ({ events }) => [
      { name: 'url', is: 'url', isRequired: true, maxLength: 2000 },
      { name: 'description', maxLength: 200 },
      {
        name: 'events',
        is: 'choice',
        options: [
          { value: 'all', label: t('console.webhooks.allEvents') },
          { value: 'some', label: t('console.webhooks.form.some') },
        ],
      },
      events === 'some' && { name: 'types', is: 'ticks', options: TYPES },
    ],
    isReady: ({ url, events, types }) => url.trim() !== '' && (events === 'all' || types.length > 0),
    run: ({ url, description, events, types }) =>
      api.createWebhook({
        url: url.trim(),
        description: description.trim(),
        types: events === 'all' ? null : types,
      }),
    onDone: ({ secret }) =>
      showOnce({
        title: t('console.webhooks.secret.title'),
        text: t('console.webhooks.secret.text'),
        values: secret === undefined ? [] : [{ label: t('console.webhooks.secret.title'), value: secret }],
      }),
  })

const stateOf = ({ enabled, failing_since }: Webhook) =>
  enabled ? (failing_since === null ? 'active' : 'failing') : 'disabled'

function Webhooks() {
  const list = useLiveQuery(WEBHOOKS, api.listWebhooks)
  return (
    <Card>
      <List
        query={list}
        rows={list.data?.data ?? []}
        empty={<Empty icon="webhook" texts="console.webhooks.none" />}
        subject={({ url }) => url}
        actions={({ webhook_id }) => [
          {
            text: t('console.webhooks.remove.action'),
            isDangerous: true,
            run: () =>
              askChange({
                texts: 'console.webhooks.remove',
                isDangerous: true,
                stale: WEBHOOKS,
                run: () => api.deleteWebhook(webhook_id),
              }),
          },
        ]}
        texts="console.webhooks.columns"
        columns={[
          {
            name: 'url',
            of: 'titles',
            className: 'strong',
            cell: ({ url }) => url,
            below: ({ description }) => description || null,
          },
          {
            name: 'events',
            cell: ({ types }) =>
              types === null
                ? t('console.webhooks.allEvents')
                : t('console.webhooks.someEvents', { count: types.length }),
          },
          {
            name: 'status',
            className: 'long',
            cell: (webhook) => (
              <Status of="webhook" is={stateOf(webhook)} texts="console.webhooks.statuses" />
            ),
            below: (webhook) => <LastFailure webhook={webhook} />,
          },
        ]}
      />
    </Card>
  )
}

/** Since when deliveries fail, and how the last one did. */
function LastFailure({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id, disabled_at, disabled_reason, failing_since, next_attempt_at } = webhook
  const since = disabled_at ?? failing_since
  const attempts = useLiveQuery([...WEBHOOKS, id, since], (options) =>
    since === null ? Promise.resolve(undefined) : api.listWebhookAttempts(id, { limit: 1 }, options),
  )
  if (since === null) return null
  return (
    <>
      {t('console.webhooks.since')} <Time at={since} />
      <br />
      {disabled_reason ?? attempts.data?.data[0]?.problem}
      {next_attempt_at !== null && (
        <>
          <br />
          {t('console.webhooks.retry')} <Time at={next_attempt_at} as="relative" />
        </>
      )}
    </>
  )
}
