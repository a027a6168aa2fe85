import type { ConfirmedFile, ItemReport } from '@kitseal/examiner'
import type { PickedItems } from '@kitseal/kit/in-browser'
import { Card } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { LOOKS } from '../../parts/status.tsx'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../core/readable.ts'
import { language } from '../../core/language.ts'
import { known, t } from '../../core/texts.ts'
import { chosenFiles } from '../../upload/check-in-worker.ts'
import type { ChosenFile } from '../../upload/check-worker.ts'
import { Picker, useDropTarget } from '../../parts/drop.tsx'
import type { CheckState } from '../../upload/upload-queue.ts'
import type { ProfileDocument } from '../profiles/profiles.ts'

type Item = ProfileDocument['items'][number]
type State = keyof typeof LOOKS.profileItem

export interface ProfileChecklistProps {
  readonly profile: ProfileDocument
  readonly files: readonly ChosenFile[]
  readonly check: CheckState
  readonly isFixed: boolean
  onAdd(files: readonly ChosenFile[]): void
  /** The user says that a file is for an item. */
  onConfirm?(file: ConfirmedFile): void
}

/**
 * The items of a profile. A file that is dropped on an item goes into a folder with its ID, which makes it count. A file whose
 * name matches is a suggestion until the user confirms it.
 */
export function ProfileChecklist({ profile, files, check, isFixed, ...on }: ProfileChecklistProps) {
  if (profile.items.length === 0) return null
  const reports = check.is === 'done' ? check.items : []
  const reportOf = ({ id }: Item) => reports.find((one) => one.item.id === id)
  const states = profile.items.map((item) => stateOf(item, reportOf(item)))
  const required = profile.items.filter(isRequired).length
  const met = profile.items.filter((item, index) => isRequired(item) && states[index] === 'met').length
  return (
    <Card title={t('console.checklist.title', { met, required })}>
      <ul className="checklist lines">
        {profile.items.map((item, index) => (
          <ChecklistItem
            key={item.id}
            item={item}
            state={states[index] ?? 'open'}
            files={filesOf(item, files, reportOf(item))}
            suggested={reportOf(item)?.suggested ?? []}
            isFixed={isFixed}
            onAdd={(items) => {
              on.onAdd(chosenFiles(items).map(({ name, file }) => ({ name: `${item.id}/${name}`, file })))
            }}
            onConfirm={(path) => on.onConfirm?.({ item: item.id, path })}
          />
        ))}
      </ul>
    </Card>
  )
}

/** What people call a type. */
function typeName(id: string): string {
  return known(`console.fileTypes.${id}`) ?? id
}

const OR = new Intl.ListFormat(language, { type: 'disjunction' })

function wantedText({ types: ids = [], max_age_days: days }: Item): string {
  const types = OR.format(ids.map(typeName))
  if (days === undefined) return t('console.checklist.wanted', { types })
  return types === ''
    ? t('console.checklist.fresh', { days })
    : t('console.checklist.wantedFresh', { types, days })
}

const isRequired = ({ min_files = 1 }: Item): boolean => min_files > 0
/** The same report that the blockers are from, so that an item is never missing and met at once. */
function stateOf(item: Item, report: ItemReport | undefined): State {
  if (report === undefined) return isRequired(item) ? 'open' : 'optional'
  if (report.isMet && report.matched.length > 0) return 'met'
  if (report.suggested.length > 0) return 'suggested'
  return report.isMet ? 'optional' : 'missing'
}

const filesOf = ({ id }: Item, files: readonly ChosenFile[], report: ItemReport | undefined) =>
  report?.matched.map(({ path }) => path.replace(/^data\//, '')) ??
  files.map(({ name }) => name).filter((name) => name.startsWith(`${id}/`))

const MAX_SUGGESTED = 10

interface ChecklistItemProps {
  readonly item: Item
  readonly state: State
  readonly files: readonly string[]
  readonly suggested: readonly string[]
  readonly isFixed: boolean
  onAdd(items: PickedItems): void
  onConfirm(path: string): void
}

function ChecklistItem({ item, state, files, suggested, isFixed, onAdd, onConfirm }: ChecklistItemProps) {
  const { isOver, target } = useDropTarget(onAdd, isFixed)
  return (
    <li className={`${state} ${isOver ? 'over' : ''}`} data-item={item.id} {...target}>
      <Icon name={LOOKS.profileItem[state].icon} size={20} />
      <div>
        <p className="strong">
          {item.title} <span className="quiet">{t(`console.checklist.states.${state}`)}</span>
        </p>
        {item.description !== undefined && <p>{item.description}</p>}
        {item.example !== undefined && (
          <p className="quiet">{t('console.checklist.example', { name: item.example })}</p>
        )}
        {(item.max_age_days !== undefined || item.types !== undefined) && (
          <p className="quiet">{wantedText(item)}</p>
        )}
        {item.controls !== undefined && item.controls.length > 0 && (
          <p>
            {item.controls.map((control) => (
              <span key={control} className="tag">
                {control}
              </span>
            ))}
          </p>
        )}
        {files.length > 0 && (
          <ul>
            {files.map((name) => (
              <li key={name}>{nameText(name)}</li>
            ))}
          </ul>
        )}
        {suggested.slice(0, MAX_SUGGESTED).map((name) => (
          <p key={name} className="row">
            {t('console.checklist.suggestion', { name: nameText(name) })}
            <Button
              size="small"
              disabled={isFixed}
              subject={t('console.checklist.confirmAs', { name: nameText(name), item: item.title })}
              onClick={() => onConfirm(name)}
            >
              {t('console.checklist.confirm')}
            </Button>
          </p>
        ))}
      </div>
      <div>
        <Picker
          label={t('console.checklist.choose')}
          name={`${t('console.checklist.choose')} ${item.title}`}
          isDisabled={isFixed}
          onItems={onAdd}
        />
      </div>
    </li>
  )
}
