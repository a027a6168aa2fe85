import type { Webhook } from '@kitseal/client'
import { MultiSelect, Radio, TextInput } from '@mantine/core'
import { below, t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { type ListedWebhook, WEBHOOKS } from './webhook-state.tsx'

/** What most receivers want. */
const USUAL_TYPES = ['submission.passed', 'submission.failed']

const TYPES = below('console.audit.actions').map(([value, label]) => ({
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
  return (
    <FormDialog
      title={webhook === undefined ? t('console.webhooks.form.add') : t('console.webhooks.form.edit')}
      action={webhook === undefined ? t('console.webhooks.form.add') : t('console.webhooks.form.save')}
      stale={WEBHOOKS}
      isReady={url.trim() !== '' && (events === 'all' || types.length > 0)}
      run={save}
      onDone={onSaved}
      onClose={onClose}
    >
      <TextInput
        label={t('console.webhooks.form.url')}
        description={t('console.webhooks.form.urlHint')}
        type="url"
        placeholder={t('console.webhooks.form.urlExample')}
        required
        maxLength={2000}
        data-autofocus
        {...text('url')}
      />
      <TextInput label={t('console.webhooks.form.description')} maxLength={200} {...text('description')} />
      <Radio.Group label={t('console.webhooks.form.events')} {...given('events')}>
        <Radio mt="xs" value="all" label={t('console.webhooks.form.all')} />
        <Radio mt="xs" value="some" label={t('console.webhooks.form.some')} />
      </Radio.Group>
      {events === 'some' && (
        <MultiSelect
          label={t('console.webhooks.form.types')}
          data={TYPES}
          searchable
          hidePickedOptions
          {...given('types')}
        />
      )}
    </FormDialog>
  )
}
