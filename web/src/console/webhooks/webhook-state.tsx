import type { Webhook } from '@kitseal/client'
import { Badge } from '../../parts/badge.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'

export const WEBHOOKS = ['webhooks'] as const

export type ListedWebhook = Omit<Webhook, 'secret'>

type State = keyof typeof texts.console.webhooks.statuses

const LOOKS = {
  active: { look: 'passed', icon: 'check' },
  failing: { look: 'draft', icon: 'warning' },
  disabled: { look: 'failed', icon: 'cross' },
} as const

const stateOf = ({ enabled, failing_since }: ListedWebhook): State =>
  enabled ? (failing_since === null ? 'active' : 'failing') : 'disabled'

export function WebhookState({ webhook }: { readonly webhook: ListedWebhook }) {
  const t = texts.console.webhooks
  const state = stateOf(webhook)
  const since = webhook.disabled_at ?? webhook.failing_since
  return (
    <>
      <Badge {...LOOKS[state]}>{t.statuses[state]}</Badge>
      {since !== null && (
        <span className="quiet below">
          {t.since} <Time at={since} />
        </span>
      )}
    </>
  )
}

export function eventsText({ types }: ListedWebhook): string {
  const t = texts.console.webhooks
  return types === null ? t.allEvents : t.someEvents(types.length)
}
