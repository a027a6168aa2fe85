import type { Webhook, WebhookAttempt } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, EmptyCard, Facts, Heading, Notice } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Time } from '../../parts/time.tsx'
import { sentence } from '../../core/readable.ts'
import { Link, navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { NewSecret } from '../keys/new-secret.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { isMissing, Problem, QueryState } from '../problem.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { useChange } from '../use-change.ts'
import { ReplayEvents, RotateSecret } from './webhook-dialogs.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { eventsText, WEBHOOKS, WebhookState } from './webhook-state.tsx'

const LIST = '/console/webhooks'

/** One webhook: its state, what can be done with it, and what was sent to it. */
export function WebhookPage({ id }: { readonly id: string }) {
  const query = useLiveQuery([...WEBHOOKS, id], (options) => api.getWebhook(id, options))
  if (query.data !== undefined) return <Shown webhook={query.data} />
  if (isMissing(query.error))
    return (
      <EmptyCard
        icon="webhook"
        title={t('console.webhooks.missing')}
        level={1}
        action={<Link href={LIST}>{t('console.webhooks.back')}</Link>}
      />
    )
  return (
    <>
      <Heading title={t('console.titles.webhook')} />
      <QueryState query={query} />
    </>
  )
}

type Open = 'edit' | 'rotate' | 'replay' | 'delete'

function Shown({ webhook }: { readonly webhook: Webhook }) {
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const { webhook_id: id } = webhook
  const close = (): void => setOpen(undefined)
  const testing = useChange(WEBHOOKS, () => api.pingWebhook(id))
  const switching = useChange(WEBHOOKS, (enabled: boolean) => api.changeWebhook(id, { enabled }))
  return (
    <>
      <p className="back">
        <Link href={LIST}>{t('console.webhooks.back')}</Link>
      </p>
      <Heading
        title={webhook.url}
        lead={webhook.description}
        actions={
          <Button loading={testing.isPending} onClick={() => testing.mutate()}>
            {t('console.webhooks.test.action')}
          </Button>
        }
      />
      {secret !== undefined && (
        <NewSecret
          secret={{
            title: t('console.webhooks.secret.title'),
            text: t('console.webhooks.secret.text'),
            what: t('console.webhooks.secret.what'),
            value: secret,
          }}
          onDone={() => setSecret(undefined)}
        />
      )}
      {testing.error !== null && <Problem error={testing.error} />}
      {testing.data !== undefined && <TestResult attempt={testing.data} />}
      <StateNotice webhook={webhook} />
      {switching.error !== null && <Problem error={switching.error} />}
      <Card>
        <Facts
          facts={[
            { name: t('console.webhooks.facts.status'), value: <WebhookState webhook={webhook} /> },
            {
              name: t('console.webhooks.facts.events'),
              value: webhook.types?.join(', ') ?? eventsText(webhook),
            },
            {
              name: t('console.webhooks.facts.delivered'),
              value:
                webhook.last_seq === 0
                  ? t('console.webhooks.facts.noneDelivered')
                  : t('console.webhooks.log.number', { seq: webhook.last_seq }),
            },
            ...(webhook.previous_secret_until === null
              ? []
              : [
                  {
                    name: t('console.webhooks.facts.oldSecret'),
                    value: <Time at={webhook.previous_secret_until} />,
                  },
                ]),
            {
              name: t('console.webhooks.facts.id'),
              value: <Code value={id} what={t('console.webhooks.facts.id')} />,
            },
          ]}
        />
        <div className="row">
          {(['edit', 'rotate', 'replay'] as const).map((what) => (
            <Button key={what} variant="default" onClick={() => setOpen(what)}>
              {what === 'edit' ? t('console.webhooks.edit') : t(`console.webhooks.${what}.action`)}
            </Button>
          ))}
          <Button
            variant="default"
            loading={switching.isPending}
            onClick={() => switching.mutate(!webhook.enabled)}
          >
            {webhook.enabled ? t('console.webhooks.disable') : t('console.webhooks.enable')}
          </Button>
          <Button variant="default" className="danger" onClick={() => setOpen('delete')}>
            {t('console.webhooks.remove.action')}
          </Button>
        </div>
      </Card>
      <DeliveryLog id={id} />
      {open === 'edit' && <WebhookForm webhook={webhook} onClose={close} onSaved={close} />}
      {open === 'rotate' && (
        <RotateSecret
          webhook={webhook}
          onClose={close}
          onMade={(made) => {
            close()
            setSecret(made.secret)
          }}
        />
      )}
      {open === 'replay' && <ReplayEvents webhook={webhook} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          action={t('console.webhooks.remove.action')}
          title={t('console.webhooks.remove.title')}
          text={t('console.webhooks.remove.text')}
          stale={WEBHOOKS}
          run={() => api.deleteWebhook(id)}
          onDone={() => navigate(LIST, { replace: true })}
          onClose={close}
        />
      )}
    </>
  )
}

function TestResult({ attempt: { problem, status, duration_ms } }: { readonly attempt: WebhookAttempt }) {
  return problem === null ? (
    <Notice tone="pass" isAlert>
      {t('console.webhooks.test.ok', { status: status ?? 0, ms: duration_ms })}
    </Notice>
  ) : (
    <Notice tone="fail" isAlert title={t('console.webhooks.test.failed')}>
      {sentence(problem)}
    </Notice>
  )
}

function StateNotice({ webhook }: { readonly webhook: Webhook }) {
  if (!webhook.enabled)
    return (
      <Notice tone="warn" title={t('console.webhooks.disabled.title')}>
        <p>{webhook.disabled_reason}</p>
        <p>{t('console.webhooks.disabled.text')}</p>
      </Notice>
    )
  if (webhook.failing_since === null) return null
  return (
    <Notice tone="warn" title={t('console.webhooks.failing.title')}>
      <p>{t('console.webhooks.failing.text')}</p>
      {webhook.next_attempt_at !== null && (
        <p>
          {t('console.webhooks.retry') + t('common.colon')}
          <Time at={webhook.next_attempt_at} />
        </p>
      )}
    </Notice>
  )
}
