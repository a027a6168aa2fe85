import type { Period } from '@kitseal/client'
import type { PickedItems } from '@kitseal/kit/in-browser'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { chosenFiles } from '../../upload/chosen-files.ts'
import { CONSOLE } from '../../upload/upload-place.ts'
import { Icon } from '../../parts/icons.tsx'
import { FileList } from '../../parts/preview/file-list.tsx'
import { nameText } from '../../core/readable.ts'
import { ItemDrop } from '../../outside/request/item-drop.tsx'
import { ItemFiles } from '../../outside/request/item-files.tsx'
import { useItemUploads } from '../../outside/request/use-item-uploads.ts'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Problem } from '../problem.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { useChange } from '../use-change.ts'
import { isOpen, type PeriodItem } from './period-item.ts'
import { PROGRAMS } from './programs-key.ts'

export interface CellFilesProps {
  readonly period: Period
  readonly item: PeriodItem
  readonly dropped: PickedItems | undefined
  onPreview(isOpen: boolean): void
}

/** The files of an item in a period, with a preview each, and a place to add more to internal items. */
export function CellFiles({ period, item, dropped, onPreview }: CellFilesProps) {
  const { is: mayAdd } = useAllowed('submit')
  const canAdd = mayAdd && item.source === 'internal' && isOpen(period)
  const removing = useChange(PROGRAMS, (position: number) =>
    api.removePeriodFile(period.program_id, period.period, String(position)),
  )
  const skip = item.item_id.length + 1
  return (
    <>
      {item.files.length === 0 && !canAdd && <p className="quiet">{t('console.programs.cell.noFiles')}</p>}
      {item.files.length > 0 && (
        <FileList
          onPreview={onPreview}
          files={item.files.map((file) => ({
            name: file.name.slice(skip),
            sizeBytes: file.size_bytes,
            url: fileUrl(period, file),
            mark: <Same file={file} skip={skip} />,
            action: canAdd && (
              <button
                type="button"
                className="icon-button"
                aria-label={t('console.programs.cell.remove', { name: file.name.slice(skip) })}
                title={t('console.programs.cell.remove', { name: file.name.slice(skip) })}
                disabled={removing.isPending}
                onClick={() => removing.mutate(file.position)}
              >
                <Icon name="trash" size={16} />
              </button>
            ),
          }))}
        />
      )}
      {removing.error !== null && <Problem error={removing.error} />}
      {canAdd && <Adding period={period} item={item} dropped={dropped} />}
    </>
  )
}

type PeriodFile = PeriodItem['files'][number]

const fileUrl = ({ program_id, period }: Period, { name }: PeriodFile): string =>
  `/v1/programs/${program_id}/periods/${encodeURIComponent(period)}/evidence/${encodeURIComponent(name)}`

/** The same bytes were in the period before, under this name or another one. */
function Same({ file: { same_as, name }, skip }: { readonly file: PeriodFile; readonly skip: number }) {
  if (same_as === null) return null
  const text =
    same_as.name === name
      ? t('console.programs.cell.same', { period: same_as.period })
      : t('console.programs.cell.sameOther', {
          name: nameText(
            same_as.name.startsWith(name.slice(0, skip)) ? same_as.name.slice(skip) : same_as.name,
          ),
          period: same_as.period,
        })
  return <span className="file-change">{text}</span>
}

/** Uploads to the draft of the period, in the folder of the item. */
function Adding({ period, item, dropped }: Omit<CellFilesProps, 'onPreview'>) {
  const { workspace } = useMe()
  const queries = useQueryClient()
  const { submission_id: submissionId } = period
  const target = useMemo(
    () => ({
      place: CONSOLE,
      open: async () => submissionId,
      onSent: () => queries.invalidateQueries({ queryKey: PROGRAMS }),
    }),
    [submissionId, queries],
  )
  const uploads = useItemUploads(target, workspace.plan)
  const add = (items: PickedItems): void =>
    uploads.add(chosenFiles(items).map(({ name, file }) => ({ name: `${item.item_id}/${name}`, file })))
  const addDropped = useRef(() => dropped !== undefined && add(dropped))
  useEffect(() => {
    addDropped.current()
    addDropped.current = () => false
  }, [])
  const skip = item.item_id.length + 1
  return (
    <>
      <ItemFiles
        files={[]}
        outgoing={uploads.outgoing}
        uploads={uploads}
        blocking={[]}
        skip={skip}
        onRemove={undefined}
      />
      <ItemDrop
        label={item.title}
        isFirst={item.files.length === 0}
        taken={item.files.map(({ name }) => name.slice(skip))}
        onItems={add}
      />
    </>
  )
}
