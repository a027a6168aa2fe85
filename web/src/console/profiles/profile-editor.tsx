import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ProfileDocument, PROFILES } from './profiles.ts'
import { ProfileChecklist } from '../../upload/profile-checklist.tsx'
import { Card } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { useChange } from '../use-change.ts'
import { ItemFields } from './item-fields.tsx'
import { PolicyFields } from './policy-fields.tsx'
import { nameOf } from './profile-name.ts'

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
  const saving = useChange(
    PROFILES,
    () => (isNew ? api.createProfile(draft) : api.replaceProfile(draft.profile, draft)),
    onDone,
  )
  const setItems = (items: readonly Item[]): void => setDraft({ ...draft, items })
  return (
    <Form onSubmit={() => saving.mutate()}>
      <Card title={isNew ? t('console.profiles.new') : initial.title}>
        <div className="fields two">
          <TextInput
            label={t('console.profiles.titleField')}
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
            label={t('console.profiles.name')}
            description={t('console.profiles.nameHint')}
            required
            disabled={!isNew}
            value={draft.profile}
            onChange={({ currentTarget }) => setDraft({ ...draft, profile: currentTarget.value })}
          />
        </div>
        <Textarea
          label={t('console.profiles.description')}
          className="profile-description"
          required
          maxLength={2000}
          autosize
          value={draft.description}
          onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
        />
        <PolicyFields profile={draft} onChange={setDraft} />
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
            {t('console.profiles.addItem')}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t('console.profiles.save')}
          </Button>
          <Button variant="subtle" onClick={onDone}>
            {t('console.cancel')}
          </Button>
        </div>
      </Card>
      <h2 className="preview-title">{t('console.profiles.preview')}</h2>
      <ProfileChecklist profile={draft} files={[]} check={NOTHING} isFixed onChange={() => undefined} />
    </Form>
  )
}

function newItem(items: readonly Item[]): Item {
  let number = items.length + 1
  while (items.some(({ id }) => id === `item-${number}`)) number += 1
  return { id: `item-${number}`, title: '', min_files: 1 }
}
