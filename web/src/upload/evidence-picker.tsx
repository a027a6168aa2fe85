import type { PickedItems } from '@kitseal/kit/in-browser'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Alert, Card, Notice } from '../parts/blocks.tsx'
import { DropArea, usePageDrops } from '../parts/drop-area.tsx'
import { limitText, sizeText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { CheckView, Notices } from './check-view.tsx'
import { type ChosenFile, chosenFiles, mergeFiles, readSizes, totalBytes } from './chosen-files.ts'
import { FileRows } from './file-rows.tsx'
import { problemFiles } from './problem-files.ts'
import type { CheckState } from './use-check.ts'
import type { FileProgress } from './use-upload.ts'

export interface EvidencePickerProps {
  readonly files: readonly ChosenFile[]
  readonly check: CheckState
  readonly progress: ReadonlyMap<string, FileProgress>
  readonly limitBytes: number
  /** Names of uploaded files. The service rejects a second file with the same name. */
  readonly uploaded?: ReadonlySet<string>
  /** No changes during an upload. */
  readonly isFixed: boolean
  /** The codes of findings that the user acknowledges. */
  readonly accept: ReadonlySet<string>
  onAccept(codes: ReadonlySet<string>): void
  onChange(files: readonly ChosenFile[]): void
}

const NO_BLOCKERS: readonly never[] = []

/** The files to upload: what is wrong with them first, then all of them. */
export function EvidencePicker(props: EvidencePickerProps) {
  const { files, check, isFixed, limitBytes, onChange } = props
  const [problem, setProblem] = useState<string>()
  const all = totalBytes(files)
  const blockers = check.is === 'done' ? check.blockers : NO_BLOCKERS
  const problems = useMemo(() => problemFiles(files, blockers), [files, blockers])
  const isUploaded = (name: string): boolean =>
    props.uploaded?.has(name) === true || props.progress.get(name)?.is === 'sent'
  const current = useRef(files)
  useEffect(() => {
    current.current = files
  })
  const onItems = async (items: PickedItems): Promise<void> => {
    const chosen = chosenFiles(items)
    const added = chosen.filter(({ name }) => !isUploaded(name))
    if (chosen.length === 0) setProblem(t('console.new.nothing'))
    else
      setProblem(
        added.length < chosen.length
          ? t('console.new.skipped', { count: chosen.length - added.length })
          : undefined,
      )
    await readSizes(added)
    if (added.length > 0) onChange(mergeFiles(current.current, added))
  }
  const { isOver, isReading, read } = usePageDrops({
    isDisabled: isFixed,
    onItems,
    onUnreadable: (why) => setProblem(t('console.new.unreadable', { why })),
  })
  const remove = (isRemoved: (name: string) => boolean): void =>
    onChange(files.filter(({ name }) => !isRemoved(name) || props.progress.get(name)?.is === 'sent'))
  return (
    <>
      {!isFixed && (
        <DropArea
          title={
            isReading
              ? t('console.new.reading')
              : files.length === 0
                ? t('console.new.dropTitle')
                : t('console.new.dropMore')
          }
          hint={files.length === 0 ? t('console.new.dropHint', { limit: limitText(limitBytes) }) : undefined}
          chooseFiles={t('console.new.chooseFiles')}
          chooseFolder={t('console.new.chooseFolder')}
          isMultiple
          isCompact={files.length > 0}
          isOver={isOver}
          onItems={read}
        />
      )}
      <Alert tone="warn" text={problem} />
      {all > limitBytes && (
        <Notice tone="fail" isAlert title={t('console.new.tooLarge.title')}>
          {t('console.new.tooLarge.text', { size: sizeText(all), limit: limitText(limitBytes) })}
        </Notice>
      )}
      <CheckView
        check={check}
        accept={props.accept}
        onAccept={props.onAccept}
        problemFiles={problems.size}
        onRemove={isFixed ? undefined : () => remove((name) => problems.has(name))}
      />
      {files.length > 0 && (
        <Card
          title={t('console.new.filesTitle', { count: files.length, size: sizeText(all) })}
          className="files-card"
        >
          <FileRows
            files={files}
            problems={problems}
            isChecked={check.is === 'done'}
            progress={props.progress}
            isFixed={isFixed}
            onRemove={remove}
          />
        </Card>
      )}
      <Notices check={check} />
    </>
  )
}
