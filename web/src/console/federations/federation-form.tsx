import type { Federation } from '@kitseal/client'
import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { Dialog } from '../confirm-dialog.tsx'
import { SCOPES } from '../keys/key-dialogs.tsx'
import { Problem } from '../problem.tsx'
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
  const t = texts.console.federations
  const [kind, setKind] = useState<Kind>('github')
  const [label, setLabel] = useState(federation?.label ?? t.form.kinds.github)
  const [issuer, setIssuer] = useState(federation?.issuer ?? KINDS.github.issuer)
  const [audience, setAudience] = useState(federation?.audience ?? own)
  const [claims, setClaims] = useState<readonly Claim[]>(
    federation?.claims.map(claimOf) ?? KINDS.github.claims,
  )
  const [scopes, setScopes] = useState<string[]>([...(federation?.scopes ?? ['submit', 'read'])])
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () => {
      const body = {
        label: label.trim(),
        issuer: issuer.trim(),
        audience,
        claims: claims.map(ruleOf),
        scopes: scopes as Federation['scopes'],
      }
      return federation === undefined
        ? api.createFederation(body)
        : api.changeFederation(federation.federation_id, body)
    },
    onSuccess: async (saved) => {
      onSaved(saved)
      await queries.invalidateQueries({ queryKey: FEDERATIONS })
    },
  })
  const choose = (chosen: Kind): void => {
    setKind(chosen)
    setLabel(chosen === 'other' ? '' : t.form.kinds[chosen])
    setIssuer(KINDS[chosen].issuer)
    setClaims(KINDS[chosen].claims)
  }
  return (
    <Dialog title={federation?.label ?? t.add} isOpen onClose={onClose}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        {federation === undefined && (
          <Select
            label={t.form.kind}
            data={Object.entries(t.form.kinds).map(([value, name]) => ({ value, label: name }))}
            value={kind}
            allowDeselect={false}
            onChange={(value) => choose((value ?? 'other') as Kind)}
          />
        )}
        <TextInput
          label={t.form.label}
          required
          maxLength={200}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <TextInput
          label={t.form.issuer}
          description={t.form.issuerHint}
          type="url"
          required
          maxLength={500}
          value={issuer}
          onChange={({ currentTarget }) => setIssuer(currentTarget.value)}
        />
        <ClaimFields claims={claims} onChange={setClaims} />
        <TextInput
          label={t.form.audience}
          description={t.form.audienceHint}
          required
          maxLength={500}
          value={audience}
          onChange={({ currentTarget }) => setAudience(currentTarget.value)}
        />
        <Checkbox.Group label={t.form.scopes} value={scopes} onChange={setScopes}>
          {SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={texts.console.keys.scopeNames[scope]} mt="xs" />
          ))}
        </Checkbox.Group>
        {saving.error !== null && <Problem error={saving.error} />}
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            {texts.console.cancel}
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={scopes.length === 0}>
            {federation === undefined ? t.add : t.form.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
