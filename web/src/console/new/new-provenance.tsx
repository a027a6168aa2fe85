import { parseStatedProvenance, type StatedProvenance } from '@kitseal/kit/internal'
import { TextInput } from '@mantine/core'
import { texts } from '../../texts/index.ts'

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
  const t = texts.console.new.provenance
  if ((from === '') !== (to === '')) return t.bothDates
  return from === '' || parseStatedProvenance({ period: { from, to } }).ok ? undefined : t.wrongPeriod
}

export interface NewProvenanceFieldsProps {
  readonly value: NewProvenance
  readonly isFixed: boolean
  onChange(value: NewProvenance): void
}

export function NewProvenanceFields({ value, isFixed, onChange }: NewProvenanceFieldsProps) {
  const t = texts.console.new.provenance
  const problem = periodProblem(value)
  return (
    <details className="more-fields">
      <summary>{t.title}</summary>
      <p className="quiet">{t.hint}</p>
      <div className="fields two">
        <TextInput
          label={t.collector}
          description={t.collectorHint}
          placeholder={t.collectorExample}
          maxLength={200}
          disabled={isFixed}
          value={value.collector}
          onChange={({ currentTarget }) => onChange({ ...value, collector: currentTarget.value })}
        />
        <fieldset className="period">
          <legend>{t.period}</legend>
          <TextInput
            type="date"
            label={t.from}
            disabled={isFixed}
            value={value.from}
            onChange={({ currentTarget }) => onChange({ ...value, from: currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t.to}
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
