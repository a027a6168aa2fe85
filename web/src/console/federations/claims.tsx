import type { Federation } from '@kitseal/client'
import { Button, Select, TextInput } from '@mantine/core'
import { below, t } from '../../core/texts.ts'
import { RowButton } from '../row-button.tsx'

/** A rule for one claim, as the form holds it. */
export interface Claim {
  readonly claim: string
  readonly match: 'equals' | 'prefix'
  readonly value: string
}

type Rule = Federation['claims'][number]

export const claimOf = ({ claim, equals, prefix }: Rule): Claim =>
  prefix === undefined
    ? { claim, match: 'equals', value: equals ?? '' }
    : { claim, match: 'prefix', value: prefix }

export const ruleOf = ({ claim, match, value }: Claim): Rule => ({
  claim: claim.trim(),
  ...(match === 'equals' ? { equals: value.trim() } : { prefix: value.trim() }),
})

export function claimText(rule: Rule): string {
  const { claim, match, value } = claimOf(rule)
  return t(`console.federations.${match}`, { claim, value })
}

export interface ClaimFieldsProps {
  readonly claims: readonly Claim[]
  onChange(claims: readonly Claim[]): void
}

/** Which jobs get a key: one row for each claim of their token. */
export function ClaimFields({ claims, onChange }: ClaimFieldsProps) {
  const set = (index: number, changed: Partial<Claim>): void =>
    onChange(claims.map((claim, at) => (at === index ? { ...claim, ...changed } : claim)))
  return (
    <fieldset className="claims">
      <legend>{t('console.federations.form.claims')}</legend>
      <p className="quiet">{t('console.federations.form.claimsHint')}</p>
      {claims.map(({ claim, match, value }, index) => (
        // The name is edited, so the position is the key.
        <div className="claim" key={`claim ${index}`}>
          <TextInput
            label={t('console.federations.form.claim')}
            required
            maxLength={200}
            value={claim}
            onChange={({ currentTarget }) => set(index, { claim: currentTarget.value })}
          />
          <Select
            label={t('console.federations.form.match')}
            data={below('console.federations.form.matches').map(([name, label]) => ({ value: name, label }))}
            value={match}
            allowDeselect={false}
            onChange={(name) => set(index, { match: name === 'prefix' ? 'prefix' : 'equals' })}
          />
          <TextInput
            label={t('console.federations.form.value')}
            required
            maxLength={500}
            value={value}
            onChange={({ currentTarget }) => set(index, { value: currentTarget.value })}
          />
          {claims.length > 1 && (
            <RowButton
              text={t('console.federations.remove.action')}
              subject={t('console.federations.form.theClaim', { claim })}
              onClick={() => onChange(claims.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => onChange([...claims, { claim: '', match: 'equals', value: '' }])}
      >
        {t('console.federations.form.addClaim')}
      </Button>
    </fieldset>
  )
}
