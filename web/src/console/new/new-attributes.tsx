import { Autocomplete, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'

/** What the submission is found by later. */
export interface NewAttributes {
  readonly series: string
  readonly tags: readonly string[]
  readonly externalId: string
}

export const NO_ATTRIBUTES: NewAttributes = { series: '', tags: [], externalId: '' }

/** As members of the request. Empty ones are absent. */
export const attributeMembers = ({ series, tags, externalId }: NewAttributes) => ({
  ...(series.trim() === '' ? {} : { series: series.trim() }),
  ...(tags.length === 0 ? {} : { tags }),
  ...(externalId.trim() === '' ? {} : { external_id: externalId.trim() }),
})

export interface NewAttributesFieldsProps {
  readonly value: NewAttributes
  readonly isFixed: boolean
  onChange(value: NewAttributes): void
}

export function NewAttributesFields({ value, isFixed, onChange }: NewAttributesFieldsProps) {
  const { series, tags } = useKnown()
  return (
    <details className="more-fields">
      <summary>{t('console.new.attributes.title')}</summary>
      <div className="fields two">
        <Autocomplete
          label={t('console.new.attributes.series')}
          description={t('console.new.attributes.seriesHint')}
          placeholder={t('console.new.attributes.seriesExample')}
          data={series}
          maxLength={100}
          disabled={isFixed}
          value={value.series}
          onChange={(text) => onChange({ ...value, series: text })}
        />
        <TagsInput
          label={t('console.new.attributes.tags')}
          description={t('console.new.attributes.tagsHint')}
          data={tags}
          maxTags={20}
          maxLength={50}
          disabled={isFixed}
          value={[...value.tags]}
          onChange={(all) => onChange({ ...value, tags: all.map((tag) => tag.trim()).filter(Boolean) })}
        />
        <TextInput
          label={t('console.new.attributes.externalId')}
          description={t('console.new.attributes.externalIdHint')}
          maxLength={200}
          disabled={isFixed}
          value={value.externalId}
          onChange={({ currentTarget }) => onChange({ ...value, externalId: currentTarget.value })}
        />
      </div>
    </details>
  )
}

const unique = (names: readonly (string | null)[]): string[] =>
  [...new Set(names.filter((name) => name !== null))].toSorted()

/** Names in the newest hundred submissions, as suggestions. */
function useKnown(): { readonly series: string[]; readonly tags: string[] } {
  const { data } = useQuery({
    queryKey: ['submissions', 'names'],
    queryFn: () => api.listSubmissions({ limit: 100 }),
    staleTime: 60_000,
  })
  const rows = data?.data ?? []
  return { series: unique(rows.map(({ series }) => series)), tags: unique(rows.flatMap(({ tags }) => tags)) }
}
