import type { ApiKey, CreatedApiKey } from '@kitseal/client'
import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog, Dialog } from '../confirm-dialog.tsx'
import { GraceSelect, USUAL_GRACE } from '../grace-select.tsx'
import { Problem } from '../problem.tsx'
import type { Secret } from './new-secret.tsx'

const secretOf = ({ key, api_key }: Pick<CreatedApiKey, 'key' | 'api_key'>): Secret => {
  const t = texts.console.keys.secret
  return { title: t.title(key.label), text: t.text, value: api_key, what: t.what }
}

/** Changes a key and reloads the list. */
function useKeyChange<Given, Answer>(
  mutationFn: (given: Given) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async (answer) => {
      onDone(answer)
      await queries.invalidateQueries({ queryKey: ['keys'] })
    },
  })
}

export interface CreateKeyProps {
  readonly isOpen: boolean
  onClose(): void
  onMade(secret: Secret): void
}

export const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const satisfies ApiKey['scopes']

const LIVES = ['', '30', '90', '365'] as const

export function CreateKey({ isOpen, onClose: close, onMade }: CreateKeyProps) {
  const [label, setLabel] = useState('')
  const [days, setDays] = useState<string>('')
  const [scopes, setScopes] = useState<string[]>(['submit', 'read'])
  const making = useKeyChange(
    () =>
      api.createApiKey({
        label: label.trim(),
        scopes: scopes as ApiKey['scopes'],
        ...(days === '' ? {} : { expires_days: Number(days) }),
      }),
    (made) => {
      setLabel('')
      onMade(secretOf(made))
    },
  )
  const onClose = (): void => {
    making.reset()
    close()
  }
  const t = texts.console.keys
  return (
    <Dialog title={t.create} isOpen={isOpen} onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault()
          making.mutate(undefined)
        }}
      >
        <TextInput
          label={t.label}
          description={t.labelHint}
          value={label}
          required
          maxLength={200}
          data-autofocus
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <Checkbox.Group label={t.scopes} value={scopes} onChange={setScopes}>
          {SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={t.scopeNames[scope]} mt="xs" />
          ))}
        </Checkbox.Group>
        <Select
          label={t.life}
          data={LIVES.map((value) => ({ value, label: t.lives[value] }))}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '')}
        />
        {making.error !== null && <Problem error={making.error} />}
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            {texts.console.cancel}
          </Button>
          <Button
            type="submit"
            loading={making.isPending}
            disabled={label.trim() === '' || scopes.length === 0}
          >
            {t.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export interface KeyDialogProps {
  readonly apiKey: ApiKey | undefined
  onClose(): void
}

export function RotateKey({ apiKey, onClose, onMade }: KeyDialogProps & Pick<CreateKeyProps, 'onMade'>) {
  const [grace, setGrace] = useState(USUAL_GRACE)
  const rotating = useKeyChange(
    (keyId: string) => api.rotateApiKey(keyId, { grace_hours: Number(grace) }),
    (made) => onMade(secretOf(made)),
  )
  const t = texts.console.keys.rotate
  return (
    <ConfirmDialog
      title={t.title(apiKey?.label ?? '')}
      text={t.text}
      action={t.action}
      isOpen={apiKey !== undefined}
      mutation={rotating}
      isDangerous={false}
      onClose={onClose}
      onConfirm={() => apiKey !== undefined && rotating.mutate(apiKey.key_id)}
    >
      <GraceSelect label={t.grace} hours={grace} onChange={setGrace} />
    </ConfirmDialog>
  )
}

export function RevokeKey({ apiKey, onClose }: KeyDialogProps) {
  const revoking = useKeyChange((keyId: string) => api.revokeApiKey(keyId), onClose)
  const t = texts.console.keys.revoke
  return (
    <ConfirmDialog
      title={t.title(apiKey?.label ?? '')}
      text={t.text}
      action={t.action}
      isOpen={apiKey !== undefined}
      mutation={revoking}
      onClose={onClose}
      onConfirm={() => apiKey !== undefined && revoking.mutate(apiKey.key_id)}
    />
  )
}
