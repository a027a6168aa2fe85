import type { Webhook } from '@kitseal/client'
import { NumberInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { GraceSelect, USUAL_GRACE } from '../grace-select.tsx'
import { useWebhookChange, WEBHOOKS } from './use-webhook.ts'
import type { ListedWebhook } from './webhook-state.tsx'

export interface WebhookDialogProps {
  readonly webhook: ListedWebhook
  onClose(): void
}

export function RotateSecret({
  webhook,
  onClose,
  onMade,
}: WebhookDialogProps & { readonly onMade: (made: Webhook) => void }) {
  const [grace, setGrace] = useState(USUAL_GRACE)
  const rotating = useWebhookChange(
    () => api.rotateWebhookSecret(webhook.webhook_id, { grace_hours: Number(grace) }),
    onMade,
  )
  const t = texts.console.webhooks.rotate
  return (
    <ConfirmDialog
      title={t.title}
      text={t.text}
      action={t.action}
      isOpen
      isDangerous={false}
      mutation={rotating}
      onClose={onClose}
      onConfirm={() => rotating.mutate(undefined)}
    >
      <GraceSelect label={t.grace} hours={grace} onChange={setGrace} />
    </ConfirmDialog>
  )
}

export function ReplayEvents({ webhook, onClose }: WebhookDialogProps) {
  const [after, setAfter] = useState<string | number>(webhook.last_seq)
  const replaying = useWebhookChange(() => api.replayWebhook(webhook.webhook_id, Number(after)), onClose)
  const t = texts.console.webhooks.replay
  return (
    <ConfirmDialog
      title={t.title}
      text={t.text}
      action={t.action}
      isOpen
      isDangerous={false}
      mutation={replaying}
      onClose={onClose}
      onConfirm={() => replaying.mutate(undefined)}
    >
      <NumberInput
        label={t.after}
        description={t.afterHint}
        min={0}
        allowDecimal={false}
        hideControls
        value={after}
        onChange={setAfter}
      />
    </ConfirmDialog>
  )
}

export function DeleteWebhook({ webhook, onClose, onDone }: WebhookDialogProps & { onDone(): void }) {
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => api.deleteWebhook(webhook.webhook_id),
    onSuccess: async () => {
      onDone()
      await queries.invalidateQueries({ queryKey: WEBHOOKS, exact: true })
    },
  })
  const t = texts.console.webhooks.remove
  return (
    <ConfirmDialog
      title={t.title}
      text={t.text}
      action={t.action}
      isOpen
      mutation={deleting}
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
    />
  )
}
