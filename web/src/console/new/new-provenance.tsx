import { parseStatedProvenance, type StatedProvenance } from '@kitseal/kit/internal'
import { TextInput } from '@mantine/core'
import { t } from '../../core/texts.ts'

/** What the user states about where the evidence came from. All of it is optional. */
export interface NewProvenance {
  readonly collector: string
  readonly from: string
  readonly to: string
}

export const NO_PROVENANCE: NewProvenance = { collector: '', from: '', to: '' }

/** As `provenance` of the request; undefined if nothing is stated. */
export function provenanceOf({ collector, from, to }: NewProvenance): StatedProvenance | undefined {
  const name = collector.trim()
  if (name === '' && from === '' && to === '') return undefined
  return {
    ...(name === '' ? {} : { collector: { name } }),
    ...(from === '' && to === '' ? {} : { period: { from, to } }),
  }
}

/** Why the period cannot be sent. */
export function periodProblem({ from, to }: NewProvenance): string | undefined {
  if ((from === '') !== (to === '')) return t('console.new.provenance.bothDates')
  return from === '' || parseStatedProvenance({ period: { from, to } }).ok
    ? undefined
    : t('console.new.provenance.wrongPeriod')
}

export interface NewProvenanceFieldsProps {
  readonly value: NewProvenance
  readonly isFixed: boolean
  onChange(value: NewProvenance): void
}

export function NewProvenanceFields({ value, isFixed, onChange }: NewProvenanceFieldsProps) {
  const problem = periodProblem(value)
  return (
    <details className="more-fields">
      <summary>{t('console.new.provenance.title')}</summary>
      <p className="quiet">{t('console.new.provenance.hint')}</p>
      <div className="fields two">
        <TextInput
          label={t('console.new.provenance.collector')}
          description={t('console.new.provenance.collectorHint')}
          placeholder={t('console.new.provenance.collectorExample')}
          maxLength={200}
          disabled={isFixed}
          value={value.collector}
          onChange={({ currentTarget }) => onChange({ ...value, collector: currentTarget.value })}
        />
        <fieldset className="period">
          <legend>{t('console.new.provenance.period')}</legend>
          <TextInput
            type="date"
            label={t('console.new.provenance.from')}
            disabled={isFixed}
            value={value.from}
            onChange={({ currentTarget }) => onChange({ ...value, from: currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t('console.new.provenance.to')}
            disabled={isFixed}
            value={value.to}
            error={problem}
            onChange={({ currentTarget }) => onChange({ ...value, to: currentTarget.value })}
          />
        </fieldset>
      </div>
    </details>
  )
}
