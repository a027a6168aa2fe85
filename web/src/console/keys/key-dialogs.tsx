import type { ApiKey, CreatedApiKey } from '@kitseal/client'
import { Checkbox, Select, type SelectProps, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog, FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { GraceSelect, USUAL_GRACE } from '../grace-select.tsx'
import type { Secret } from './new-secret.tsx'

export const KEYS = ['keys'] as const

const secretOf = ({ key, api_key, notice }: Omit<CreatedApiKey, 'boundary'>): Secret => {
  return {
    title: t('console.keys.secret.title', { label: key.label }),
    text: notice ?? t('console.keys.secret.text'),
    value: api_key ?? '',
    what: t('console.keys.secret.what'),
  }
}

export interface CreateKeyProps {
  onClose(): void
  onMade(secret: Secret): void
}

const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const satisfies ApiKey['scopes']

export interface ScopeChoiceProps {
  readonly label: string
  readonly value: string[]
  onChange(scopes: string[]): void
}

/** What a key may do. */
export function ScopeChoice(props: ScopeChoiceProps) {
  return (
    <Checkbox.Group {...props}>
      {SCOPES.map((scope) => (
        <Checkbox key={scope} value={scope} label={t(`console.keys.scopeNames.${scope}`)} mt="xs" />
      ))}
    </Checkbox.Group>
  )
}

const LIVES = ['', '30', '90', '365'] as const

function LifeSelect(props: Pick<SelectProps, 'value' | 'onChange' | 'allowDeselect'>) {
  return (
    <Select
      label={t('console.keys.life')}
      data={LIVES.map((value) => ({
        value,
        label: t(`console.keys.lives.${value === '' ? 'unlimited' : value}`),
      }))}
      {...props}
    />
  )
}

export function CreateKey({ onClose, onMade }: CreateKeyProps) {
  const { values, text, choice, given } = useFields({ label: '', days: '', scopes: ['submit', 'read'] })
  const { label, days, scopes } = values
  return (
    <FormDialog
      title={t('console.keys.create')}
      action={t('console.keys.create')}
      stale={KEYS}
      isReady={label.trim() !== '' && scopes.length > 0}
      run={() =>
        api.createApiKey({
          label: label.trim(),
          scopes: scopes as ApiKey['scopes'],
          ...(days === '' ? {} : { expires_days: Number(days) }),
        })
      }
      onDone={(made) => onMade(secretOf(made))}
      onClose={onClose}
    >
      <TextInput
        label={t('console.keys.label')}
        description={t('console.keys.labelHint')}
        required
        maxLength={200}
        data-autofocus
        {...text('label')}
      />
      <ScopeChoice label={t('console.keys.scopes')} {...given('scopes')} />
      <LifeSelect {...choice('days')} />
    </FormDialog>
  )
}

export interface KeyDialogProps {
  readonly apiKey: ApiKey
  onClose(): void
}

export function RotateKey({ apiKey, onClose, onMade }: KeyDialogProps & Pick<CreateKeyProps, 'onMade'>) {
  const [grace, setGrace] = useState(USUAL_GRACE)
  return (
    <ConfirmDialog
      action={t('console.keys.rotate.action')}
      text={t('console.keys.rotate.text')}
      title={t('console.keys.rotate.title', { label: apiKey.label })}
      isDangerous={false}
      stale={KEYS}
      run={() => api.rotateApiKey(apiKey.key_id, { grace_hours: Number(grace) })}
      onDone={(made) => onMade(secretOf(made))}
      onClose={onClose}
    >
      <GraceSelect label={t('console.keys.rotate.grace')} hours={grace} onChange={setGrace} />
    </ConfirmDialog>
  )
}

export function ExtendKey({ apiKey, onClose }: KeyDialogProps) {
  const { values, choice } = useFields({ days: '90' })
  return (
    <ConfirmDialog
      action={t('console.keys.extend.action')}
      text={t('console.keys.extend.text')}
      title={t('console.keys.extend.title', { label: apiKey.label })}
      isDangerous={false}
      stale={KEYS}
      run={() => api.extendKey(apiKey.key_id, values.days === '' ? null : Number(values.days))}
      onClose={onClose}
    >
      <LifeSelect {...choice('days')} />
    </ConfirmDialog>
  )
}
