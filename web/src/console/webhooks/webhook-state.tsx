import type { Webhook } from '@kitseal/client'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'

export type ListedWebhook = Omit<Webhook, 'secret'>

type State = keyof typeof texts.console.webhooks.statuses

const LOOKS = {
  active: { badge: 'passed', icon: 'check' },
  failing: { badge: 'draft', icon: 'warning' },
  disabled: { badge: 'failed', icon: 'cross' },
} as const

const stateOf = ({ enabled, failing_since }: ListedWebhook): State =>
  enabled ? (failing_since === null ? 'active' : 'failing') : 'disabled'

export function WebhookState({ webhook }: { readonly webhook: ListedWebhook }) {
  const t = texts.console.webhooks
  const state = stateOf(webhook)
  const { badge, icon } = LOOKS[state]
  const since = webhook.disabled_at ?? webhook.failing_since
  return (
    <>
      <span className={`badge ${badge}`}>
        <Icon name={icon} size={14} />
        {t.statuses[state]}
      </span>
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
