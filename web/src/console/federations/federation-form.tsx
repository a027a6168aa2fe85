import type { Federation } from '@kitseal/client'
import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { below, t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { ScopeChoice } from '../keys/key-dialogs.tsx'
import { useMe } from '../session.tsx'
import { type Claim, ClaimFields, claimOf, ruleOf } from './claims.tsx'

export const FEDERATIONS = ['federations'] as const

export type ListedFederation = Omit<Federation, 'boundary'>

const is = (claim: string, value: string): Claim => ({ claim, match: 'equals', value })

/** What the tokens of each CI system hold, to start from. */
const KINDS = {
  github: {
    issuer: 'https://token.actions.githubusercontent.com',
    claims: [is('repository', ''), is('ref', 'refs/heads/main')],
  },
  gitlab: {
    issuer: 'https://gitlab.com',
    claims: [is('project_path', ''), is('ref', 'main'), is('ref_type', 'branch')],
  },
  other: { issuer: '', claims: [is('sub', '')] },
} as const

type Kind = keyof typeof KINDS

export interface FederationFormProps {
  /** Undefined for a new one. */
  readonly federation?: ListedFederation | undefined
  onClose(): void
  onSaved(federation: ListedFederation): void
}

/** Creates or changes a federation. */
export function FederationForm({ federation, onClose, onSaved }: FederationFormProps) {
  const { issuer: own } = useMe()
  const [kind, setKind] = useState<Kind>('github')
  const { values, set, text, given } = useFields(() => ({
    label: federation?.label ?? t('console.federations.form.kinds.github'),
    issuer: federation?.issuer ?? KINDS.github.issuer,
    audience: federation?.audience ?? own,
    claims: (federation?.claims.map(claimOf) ?? KINDS.github.claims) as readonly Claim[],
    scopes: [...(federation?.scopes ?? ['submit', 'read'])] as string[],
  }))
  const save = () => {
    const body = {
      label: values.label.trim(),
      issuer: values.issuer.trim(),
      audience: values.audience,
      claims: values.claims.map(ruleOf),
      scopes: values.scopes as Federation['scopes'],
    }
    return federation === undefined
      ? api.createFederation(body)
      : api.changeFederation(federation.federation_id, body)
  }
  const choose = (chosen: Kind): void => {
    setKind(chosen)
    set({ ...KINDS[chosen], label: chosen === 'other' ? '' : t(`console.federations.form.kinds.${chosen}`) })
  }
  return (
    <FormDialog
      title={federation?.label ?? t('console.federations.add')}
      action={federation === undefined ? t('console.federations.add') : t('console.federations.form.save')}
      stale={FEDERATIONS}
      isReady={values.scopes.length > 0}
      run={save}
      onDone={onSaved}
      onClose={onClose}
    >
      {federation === undefined && (
        <Select
          label={t('console.federations.form.kind')}
          data={below('console.federations.form.kinds').map(([value, name]) => ({ value, label: name }))}
          value={kind}
          allowDeselect={false}
          onChange={(value) => choose((value ?? 'other') as Kind)}
        />
      )}
      <TextInput label={t('console.federations.form.label')} required maxLength={200} {...text('label')} />
      <TextInput
        label={t('console.federations.form.issuer')}
        description={t('console.federations.form.issuerHint')}
        type="url"
        required
        maxLength={500}
        {...text('issuer')}
      />
      <ClaimFields claims={values.claims} onChange={(claims) => set({ claims })} />
      <TextInput
        label={t('console.federations.form.audience')}
        description={t('console.federations.form.audienceHint')}
        required
        maxLength={500}
        {...text('audience')}
      />
      <ScopeChoice label={t('console.federations.form.scopes')} {...given('scopes')} />
    </FormDialog>
  )
}
