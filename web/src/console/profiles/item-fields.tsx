import { Button, Checkbox, MultiSelect, NumberInput, TagsInput, TextInput } from '@mantine/core'
import type { ProfileDocument } from './profiles.ts'
import { below, t } from '../../core/texts.ts'
import { nameOf } from './profile-name.ts'

type Item = ProfileDocument['items'][number]

export interface ItemFieldsProps {
  readonly index: number
  readonly item: Item
  onChange(item: Item): void
  onRemove(): void
}

/** What an item asks for, and which files count for it. */
export function ItemFields({ index, item, onChange, onRemove }: ItemFieldsProps) {
  const change = (members: Partial<Item>): void => onChange(withoutEmpty({ ...item, ...members }))
  const isRequired = (item.min_files ?? 1) > 0
  return (
    <fieldset className="profile-item">
      <legend>{t('console.profiles.item', { number: index + 1 })}</legend>
      <div className="fields two">
        <TextInput
          label={t('console.profiles.itemTitle')}
          required
          maxLength={200}
          value={item.title}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget
            const isFollowing = /^item-\d+$/.test(item.id) || item.id === nameOf(item.title)
            change({ title: value, ...(isFollowing && nameOf(value) !== '' ? { id: nameOf(value) } : {}) })
          }}
        />
        <TextInput
          label={t('console.profiles.itemId')}
          required
          value={item.id}
          onChange={({ currentTarget }) => change({ id: currentTarget.value })}
        />
        <TextInput
          label={t('console.profiles.itemDescription')}
          maxLength={2000}
          value={item.description ?? ''}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <TextInput
          label={t('console.profiles.itemExample')}
          maxLength={200}
          value={item.example ?? ''}
          onChange={({ currentTarget }) => change({ example: currentTarget.value })}
        />
        <MultiSelect
          label={t('console.profiles.itemTypes')}
          placeholder={item.types === undefined ? t('console.profiles.anyType') : undefined}
          searchable
          clearable
          data={typeChoices(item.types ?? [])}
          value={[...(item.types ?? [])]}
          onChange={(types) => change({ types })}
        />
        <NumberInput
          label={t('console.profiles.itemAge')}
          placeholder={t('console.profiles.anyAge')}
          min={1}
          max={36_500}
          allowDecimal={false}
          suffix={t('console.profiles.days')}
          value={item.max_age_days ?? ''}
          onChange={(days) => onChange(withAge(item, days === '' ? undefined : Number(days)))}
        />
        <TagsInput
          label={t('console.profiles.itemPaths')}
          description={t('console.profiles.itemPathsHint')}
          value={[...(item.paths ?? [])]}
          onChange={(paths) => change({ paths })}
        />
        <TagsInput
          label={t('console.profiles.itemControls')}
          value={[...(item.controls ?? [])]}
          onChange={(controls) => change({ controls })}
        />
        <NumberInput
          label={t('console.profiles.itemCount')}
          min={1}
          max={10_000}
          allowDecimal={false}
          disabled={!isRequired}
          value={isRequired ? (item.min_files ?? 1) : ''}
          onChange={(count) => change({ min_files: Math.max(1, Number(count)) })}
        />
        <div className="row item-end">
          <Checkbox
            label={t('console.profiles.itemRequired')}
            checked={isRequired}
            onChange={({ currentTarget }) => change({ min_files: currentTarget.checked ? 1 : 0 })}
          />
          <Button variant="subtle" size="compact-sm" className="danger" onClick={onRemove}>
            {t('console.profiles.removeItem')}
            <span className="visually-hidden"> {item.title}</span>
          </Button>
        </div>
      </div>
    </fieldset>
  )
}

/** A type that was set through the API stays, even if it is not offered here. */
function typeChoices(chosen: readonly string[]): { readonly value: string; readonly label: string }[] {
  const names = new Map(below('console.fileTypes'))
  return [...new Set([...names.keys(), ...chosen])].map((value) => ({
    value,
    label: names.get(value) ?? value,
  }))
}

function withAge(item: Item, days: number | undefined): Item {
  const { max_age_days: _, ...rest } = item
  return days === undefined ? rest : { ...rest, max_age_days: days }
}

/** An empty text or list is left out. */
function withoutEmpty(item: Item): Item {
  const { description, example, controls, paths, types, ...rest } = item
  return {
    ...rest,
    ...(description ? { description } : {}),
    ...(example ? { example } : {}),
    ...(controls !== undefined && controls.length > 0 ? { controls } : {}),
    ...(paths !== undefined && paths.length > 0 ? { paths } : {}),
    ...(types !== undefined && types.length > 0 ? { types } : {}),
  }
}
