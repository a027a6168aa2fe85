import type { Webhook } from '@kitseal/client'
import { MultiSelect, Radio, TextInput } from '@mantine/core'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { type ListedWebhook, WEBHOOKS } from './webhook-state.tsx'

/** What most receivers want. */
const USUAL_TYPES = ['submission.passed', 'submission.failed']

const TYPES = Object.entries(texts.console.audit.actions).map(([value, label]) => ({
  value,
  label: `${value}: ${label}`,
}))

export interface WebhookFormProps {
  /** Undefined for a new webhook. */
  readonly webhook?: ListedWebhook
  onClose(): void
  onSaved(webhook: Webhook): void
}

/** Creates or changes a webhook. */
export function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const { values, text, given } = useFields({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: (webhook?.types ?? null) === null ? 'all' : 'some',
    types: [...(webhook?.types ?? USUAL_TYPES)],
  })
  const { url, description, events, types } = values
  const save = () => {
    const body = {
      url: url.trim(),
      description: description.trim(),
      types: events === 'all' ? null : types,
    }
    return webhook === undefined ? api.createWebhook(body) : api.changeWebhook(webhook.webhook_id, body)
  }
  const t = texts.console.webhooks.form
  return (
    <FormDialog
      title={webhook === undefined ? t.add : t.edit}
      action={webhook === undefined ? t.add : t.save}
      stale={WEBHOOKS}
      isReady={url.trim() !== '' && (events === 'all' || types.length > 0)}
      run={save}
      onDone={onSaved}
      onClose={onClose}
    >
      <TextInput
        label={t.url}
        description={t.urlHint}
        type="url"
        placeholder={t.urlExample}
        required
        maxLength={2000}
        data-autofocus
        {...text('url')}
      />
      <TextInput label={t.description} maxLength={200} {...text('description')} />
      <Radio.Group label={t.events} {...given('events')}>
        <Radio mt="xs" value="all" label={t.all} />
        <Radio mt="xs" value="some" label={t.some} />
      </Radio.Group>
      {events === 'some' && (
        <MultiSelect label={t.types} data={TYPES} searchable hidePickedOptions {...given('types')} />
      )}
    </FormDialog>
  )
}
