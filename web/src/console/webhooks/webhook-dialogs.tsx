import type { Webhook } from '@kitseal/client'
import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { GraceSelect, USUAL_GRACE } from '../grace-select.tsx'
import { type ListedWebhook, WEBHOOKS } from './webhook-state.tsx'

export interface WebhookDialogProps {
  readonly webhook: ListedWebhook
  onClose(): void
}

export interface RotateSecretProps extends WebhookDialogProps {
  onMade(made: Webhook): void
}

export function RotateSecret({ webhook, onClose, onMade }: RotateSecretProps) {
  const [grace, setGrace] = useState(USUAL_GRACE)
  return (
    <ConfirmDialog
      action={t('console.webhooks.rotate.action')}
      title={t('console.webhooks.rotate.title')}
      text={t('console.webhooks.rotate.text')}
      isDangerous={false}
      stale={WEBHOOKS}
      run={() => api.rotateWebhookSecret(webhook.webhook_id, { grace_hours: Number(grace) })}
      onDone={onMade}
      onClose={onClose}
    >
      <GraceSelect label={t('console.webhooks.rotate.grace')} hours={grace} onChange={setGrace} />
    </ConfirmDialog>
  )
}

export function ReplayEvents({ webhook, onClose }: WebhookDialogProps) {
  const [after, setAfter] = useState<string | number>(webhook.last_seq)
  return (
    <ConfirmDialog
      action={t('console.webhooks.replay.action')}
      title={t('console.webhooks.replay.title')}
      text={t('console.webhooks.replay.text')}
      isDangerous={false}
      stale={WEBHOOKS}
      run={() => api.replayWebhook(webhook.webhook_id, { after: Number(after) })}
      onClose={onClose}
    >
      <NumberInput
        label={t('console.webhooks.replay.after')}
        description={t('console.webhooks.replay.afterHint')}
        min={0}
        allowDecimal={false}
        hideControls
        value={after}
        onChange={setAfter}
      />
    </ConfirmDialog>
  )
}
