import { Button } from '@mantine/core'
import type { PickedItems } from '@kitseal/kit/in-browser'
import { Card } from '../parts/blocks.tsx'
import { useDropTarget } from '../parts/drop-target.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { nameText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { type ChosenFile, chosenFiles, mergeFiles } from './chosen-files.ts'
import type { ProfileDocument } from './profiles.ts'
import type { CheckState } from './use-check.ts'

type Item = ProfileDocument['items'][number]
type State = 'met' | 'missing' | 'optional' | 'open'

export interface ProfileChecklistProps {
  readonly profile: ProfileDocument
  readonly files: readonly ChosenFile[]
  readonly check: CheckState
  readonly isFixed: boolean
  onChange(files: readonly ChosenFile[]): void
}

/** The items of a profile. A file that is dropped on an item goes into a folder with its ID, which makes it count. */
export function ProfileChecklist({ profile, files, check, isFixed, onChange }: ProfileChecklistProps) {
  if (profile.items.length === 0) return null
  const states = profile.items.map((item) => stateOf(item, files, check))
  const required = profile.items.filter(isRequired).length
  const met = profile.items.filter((item, index) => isRequired(item) && states[index] === 'met').length
  return (
    <Card title={texts.console.checklist.title(met, required)} className="checklist-card">
      <ul className="checklist">
        {profile.items.map((item, index) => (
          <ChecklistItem
            key={item.id}
            item={item}
            state={states[index] ?? 'open'}
            files={ofItem(item, files)}
            isFixed={isFixed}
            onAdd={(items) => {
              const added = chosenFiles(items).map(({ name, file }) => ({ name: `${item.id}/${name}`, file }))
              if (added.length > 0) onChange(mergeFiles(files, added))
            }}
          />
        ))}
      </ul>
    </Card>
  )
}

/** What people call a type. */
function typeName(id: string): string {
  const names: Readonly<Record<string, string>> = texts.console.fileTypes
  return names[id] ?? id
}

const isRequired = ({ min_files = 1 }: Item): boolean => min_files > 0
const ofItem = ({ id }: Item, files: readonly ChosenFile[]): readonly ChosenFile[] =>
  files.filter(({ name }) => name.startsWith(`${id}/`))

/** The check names an item that is not met. */
function stateOf(item: Item, files: readonly ChosenFile[], check: CheckState): State {
  const isNamed =
    check.is === 'done' &&
    check.findings.some(
      ({ code, message }) => code.startsWith('profile_item_') && message.includes(`(${item.id})`),
    )
  if (isNamed) return 'missing'
  if (ofItem(item, files).length > 0) return 'met'
  if (!isRequired(item)) return 'optional'
  return check.is === 'done' ? 'met' : 'open'
}

const ICONS: Readonly<Record<State, IconName>> = {
  met: 'check',
  missing: 'warning',
  optional: 'dash',
  open: 'clock',
}

interface ChecklistItemProps {
  readonly item: Item
  readonly state: State
  readonly files: readonly ChosenFile[]
  readonly isFixed: boolean
  onAdd(items: PickedItems): void
}

function ChecklistItem({ item, state, files, isFixed, onAdd }: ChecklistItemProps) {
  const { isOver, target, input, choose } = useDropTarget({
    label: item.title,
    isDisabled: isFixed,
    onItems: onAdd,
  })
  const t = texts.console.checklist
  return (
    <li className={`${state} ${isOver ? 'over' : ''}`} data-item={item.id} {...target}>
      <Icon name={ICONS[state]} size={20} />
      <div>
        <p className="checklist-title">
          {item.title} <span className="quiet">{t.states[state]}</span>
        </p>
        {item.description !== undefined && <p>{item.description}</p>}
        {item.example !== undefined && <p className="quiet">{t.example(item.example)}</p>}
        {(item.max_age_days !== undefined || item.types !== undefined) && (
          <p className="quiet">{t.wanted((item.types ?? []).map(typeName), item.max_age_days)}</p>
        )}
        {item.controls !== undefined && item.controls.length > 0 && (
          <p className="marks">
            {item.controls.map((control) => (
              <span key={control} className="mark">
                {control}
              </span>
            ))}
          </p>
        )}
        {files.length > 0 && (
          <ul className="checklist-files">
            {files.map(({ name }) => (
              <li key={name}>{nameText(name.slice(item.id.length + 1))}</li>
            ))}
          </ul>
        )}
      </div>
      <div>
        <Button size="compact-sm" variant="default" disabled={isFixed} onClick={choose}>
          {t.choose}
          <span className="visually-hidden"> {item.title}</span>
        </Button>
        {input}
      </div>
    </li>
  )
}
