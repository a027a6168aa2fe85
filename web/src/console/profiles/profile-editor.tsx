import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ProfileDocument, PROFILES } from '../../evidence/profiles.ts'
import { ProfileChecklist } from '../../evidence/profile-checklist.tsx'
import { Card } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { texts } from '../../texts/index.ts'
import { post, put } from '../api.ts'
import { Problem } from '../problem.tsx'

type Item = ProfileDocument['items'][number]

export const NEW_PROFILE: ProfileDocument = {
  profile: '',
  title: '',
  description: '',
  items: [{ id: 'item-1', title: '', min_files: 1 }],
}

export interface ProfileEditorProps {
  readonly initial: ProfileDocument
  readonly isNew: boolean
  onDone(): void
}

const NOTHING = { is: 'nothing' } as const

/** Edits a profile of the workspace, with a preview of its checklist. */
export function ProfileEditor({ initial, isNew, onDone }: ProfileEditorProps) {
  const [draft, setDraft] = useState(initial)
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      isNew ? post('/v1/profiles', draft) : put(`/v1/profiles/${encodeURIComponent(draft.profile)}`, draft),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: PROFILES })
      onDone()
    },
  })
  const t = texts.console.profiles
  const setItems = (items: readonly Item[]): void => setDraft({ ...draft, items })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Card title={isNew ? t.new : initial.title}>
        <div className="fields two">
          <TextInput
            label={t.titleField}
            required
            maxLength={200}
            data-autofocus
            value={draft.title}
            onChange={({ currentTarget }) => {
              const { value } = currentTarget
              const isFollowing = isNew && draft.profile === nameOf(draft.title)
              setDraft({ ...draft, title: value, ...(isFollowing ? { profile: nameOf(value) } : {}) })
            }}
          />
          <TextInput
            label={t.name}
            description={t.nameHint}
            required
            disabled={!isNew}
            value={draft.profile}
            onChange={({ currentTarget }) => setDraft({ ...draft, profile: currentTarget.value })}
          />
        </div>
        <Textarea
          label={t.description}
          className="profile-description"
          required
          maxLength={2000}
          autosize
          value={draft.description}
          onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
        />
        {draft.items.map((item, index) => (
          // The ID is edited, so the position is the key.
          <ItemFields
            key={`item ${index}`}
            index={index}
            item={item}
            onChange={(changed) => setItems(draft.items.map((one, at) => (at === index ? changed : one)))}
            onRemove={() => setItems(draft.items.filter((_, at) => at !== index))}
          />
        ))}
        {saving.error !== null && <Problem error={saving.error} />}
        <div className="row">
          <Button
            variant="default"
            leftSection={<Icon name="plus" />}
            onClick={() => setItems([...draft.items, newItem(draft.items)])}
          >
            {t.addItem}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t.save}
          </Button>
          <Button variant="subtle" onClick={onDone}>
            {texts.console.cancel}
          </Button>
        </div>
      </Card>
      <ProfileChecklist profile={draft} files={[]} check={NOTHING} isFixed onChange={() => undefined} />
    </form>
  )
}

interface ItemFieldsProps {
  readonly index: number
  readonly item: Item
  onChange(item: Item): void
  onRemove(): void
}

function ItemFields({ index, item, onChange, onRemove }: ItemFieldsProps) {
  const t = texts.console.profiles
  const { description: _description, example: _example, controls: _controls, ...rest } = item
  /** An empty text is left out. */
  const change = (
    members: Partial<Record<'description' | 'example', string>> & { controls?: readonly string[] },
  ) => {
    const all = { description: item.description, example: item.example, controls: item.controls, ...members }
    onChange({
      ...rest,
      ...(all.description ? { description: all.description } : {}),
      ...(all.example ? { example: all.example } : {}),
      ...(all.controls !== undefined && all.controls.length > 0 ? { controls: [...all.controls] } : {}),
    })
  }
  return (
    <fieldset className="profile-item">
      <legend>{t.item(index)}</legend>
      <div className="fields two">
        <TextInput
          label={t.itemTitle}
          required
          maxLength={200}
          value={item.title}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget
            const isFollowing = /^item-\d+$/.test(item.id) || item.id === nameOf(item.title)
            onChange({
              ...item,
              title: value,
              ...(isFollowing && nameOf(value) !== '' ? { id: nameOf(value) } : {}),
            })
          }}
        />
        <TextInput
          label={t.itemId}
          required
          value={item.id}
          onChange={({ currentTarget }) => onChange({ ...item, id: currentTarget.value })}
        />
        <TextInput
          label={t.itemDescription}
          maxLength={2000}
          value={item.description ?? ''}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <TextInput
          label={t.itemExample}
          maxLength={200}
          value={item.example ?? ''}
          onChange={({ currentTarget }) => change({ example: currentTarget.value })}
        />
        <TextInput
          label={t.itemControls}
          defaultValue={item.controls?.join(', ') ?? ''}
          onChange={({ currentTarget }) =>
            change({
              controls: currentTarget.value
                .split(',')
                .map((one) => one.trim())
                .filter(Boolean),
            })
          }
        />
        <div className="row">
          <Checkbox
            label={t.itemRequired}
            checked={(item.min_files ?? 1) > 0}
            onChange={({ currentTarget }) => onChange({ ...item, min_files: currentTarget.checked ? 1 : 0 })}
          />
          <Button variant="subtle" size="compact-sm" className="danger" onClick={onRemove}>
            {t.removeItem}
            <span className="visually-hidden"> {item.title}</span>
          </Button>
        </div>
      </div>
    </fieldset>
  )
}

const MAX_NAME_LENGTH = 60

/** A title as a name: lower-case letters, digits and hyphens. */
const nameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^-+|-+$/g, '')

function newItem(items: readonly Item[]): Item {
  let number = items.length + 1
  while (items.some(({ id }) => id === `item-${number}`)) number += 1
  return { id: `item-${number}`, title: '', min_files: 1 }
}
