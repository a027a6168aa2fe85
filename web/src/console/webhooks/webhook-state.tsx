import type { Webhook } from '@kitseal/client'
import { Badge } from '../../parts/badge.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'

export const WEBHOOKS = ['webhooks'] as const

export type ListedWebhook = Omit<Webhook, 'secret'>

type State = keyof typeof LOOKS

const LOOKS = {
  active: { look: 'passed', icon: 'check' },
  failing: { look: 'draft', icon: 'warning' },
  disabled: { look: 'failed', icon: 'cross' },
} as const

const stateOf = ({ enabled, failing_since }: ListedWebhook): State =>
  enabled ? (failing_since === null ? 'active' : 'failing') : 'disabled'

export function WebhookState({ webhook }: { readonly webhook: ListedWebhook }) {
  const state = stateOf(webhook)
  const since = webhook.disabled_at ?? webhook.failing_since
  return (
    <>
      <Badge {...LOOKS[state]}>{t(`console.webhooks.statuses.${state}`)}</Badge>
      {since !== null && (
        <span className="quiet below">
          {t('console.webhooks.since')} <Time at={since} />
        </span>
      )}
    </>
  )
}

export function eventsText({ types }: ListedWebhook): string {
  return types === null
    ? t('console.webhooks.allEvents')
    : t('console.webhooks.someEvents', { count: types.length })
}
