import type { Webhook } from '@kitseal/client'
import { Button, MultiSelect, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { Dialog } from '../confirm-dialog.tsx'
import { Problem } from '../problem.tsx'
import { useWebhookChange } from './use-webhook.ts'
import type { ListedWebhook } from './webhook-state.tsx'

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
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [areAll, setAreAll] = useState((webhook?.types ?? null) === null)
  const [types, setTypes] = useState<string[]>([...(webhook?.types ?? USUAL_TYPES)])
  const saving = useWebhookChange(() => {
    const body = { url: url.trim(), description: description.trim(), types: areAll ? null : types }
    return webhook === undefined ? api.createWebhook(body) : api.changeWebhook(webhook.webhook_id, body)
  }, onSaved)
  const t = texts.console.webhooks.form
  return (
    <Dialog title={webhook === undefined ? t.add : t.edit} isOpen onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate(undefined)
        }}
      >
        <TextInput
          label={t.url}
          description={t.urlHint}
          type="url"
          placeholder={t.urlExample}
          required
          maxLength={2000}
          data-autofocus
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <TextInput
          label={t.description}
          maxLength={200}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Radio.Group
          label={t.events}
          value={areAll ? 'all' : 'some'}
          onChange={(value) => setAreAll(value === 'all')}
        >
          <Radio mt="xs" value="all" label={t.all} />
          <Radio mt="xs" value="some" label={t.some} />
        </Radio.Group>
        {!areAll && (
          <MultiSelect
            label={t.types}
            data={TYPES}
            value={types}
            searchable
            hidePickedOptions
            onChange={setTypes}
          />
        )}
        {saving.error !== null && <Problem error={saving.error} />}
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            {texts.console.cancel}
          </Button>
          <Button
            type="submit"
            loading={saving.isPending}
            disabled={url.trim() === '' || (!areAll && types.length === 0)}
          >
            {webhook === undefined ? t.add : t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
