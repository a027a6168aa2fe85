import type { PickedItems } from '@kitseal/kit/in-browser'
import { Progress } from '@mantine/core'
import { useState } from 'react'
import { formatBytes } from '@kitseal/kit'
import type { Blocker } from '../console/blocker-groups.ts'
import { Card, Notice } from '../parts/blocks.tsx'
import { DropArea, usePageDrops } from '../parts/drop-area.tsx'
import { useFirstRows } from '../parts/first-rows.tsx'
import { Icon } from '../parts/icons.tsx'
import { limitText, nameText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { type ChosenFile, chosenFiles, mergeFiles, totalBytes } from './chosen-files.ts'
import { CheckView } from './check-view.tsx'
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

/** The files to upload, with check results and progress. */
export function EvidencePicker(props: EvidencePickerProps) {
  const { files, check, isFixed, limitBytes, onChange } = props
  const [problem, setProblem] = useState<string>()
  const t = texts.console.new
  const all = totalBytes(files)
  const isUploaded = (name: string): boolean =>
    props.uploaded?.has(name) === true || props.progress.get(name)?.is === 'sent'
  const onItems = (items: PickedItems): void => {
    const chosen = chosenFiles(items)
    const added = chosen.filter(({ name }) => !isUploaded(name))
    if (chosen.length === 0) setProblem(t.nothing)
    else setProblem(added.length < chosen.length ? t.skipped(chosen.length - added.length) : undefined)
    if (added.length > 0) onChange(mergeFiles(files, added))
  }
  const isOver = usePageDrops({
    isDisabled: isFixed,
    onItems,
    onUnreadable: (why) => setProblem(t.unreadable(why)),
  })
  return (
    <>
      {!isFixed && (
        <DropArea
          title={t.dropTitle}
          hint={t.dropHint(limitText(limitBytes))}
          chooseFiles={t.chooseFiles}
          chooseFolder={t.chooseFolder}
          isMultiple
          isOver={isOver}
          onItems={onItems}
        />
      )}
      {problem !== undefined && (
        <Notice tone="warn" isAlert>
          {problem}
        </Notice>
      )}
      {all > limitBytes && (
        <Notice tone="fail" isAlert title={t.tooLarge.title}>
          {t.tooLarge.text(formatBytes(all), limitText(limitBytes))}
        </Notice>
      )}
      {files.length > 0 && (
        <Card title={t.filesTitle(files.length, formatBytes(all))}>
          <FileRows {...props} />
        </Card>
      )}
      <CheckView check={check} accept={props.accept} onAccept={props.onAccept} />
    </>
  )
}

function FileRows({ files, check, progress, isFixed, onChange }: EvidencePickerProps) {
  const blockers = check.is === 'done' ? check.blockers : []
  const { rows, more } = useFirstRows(files)
  const t = texts.console.new
  return (
    <>
      <ul className="files" tabIndex={-1}>
        {rows.map((one) => {
          const found = blockers.filter(({ path }) => isAbout(path, one.name))
          return (
            <li key={one.name} data-file={one.name}>
              <FileMark blockers={found} isChecked={check.is === 'done'} progress={progress.get(one.name)} />
              <span className="file-name">{nameText(one.name)}</span>
              <span className="quiet file-size">{formatBytes(one.file.size)}</span>
              <FileState progress={progress.get(one.name)} file={one} blockers={found} />
              {!isFixed && progress.get(one.name)?.is !== 'sent' && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t.removeFile(one.name)}
                  title={t.removeFile(one.name)}
                  onClick={({ currentTarget }) => {
                    // The button disappears with its file, so the focus moves to the list.
                    const next = currentTarget.closest<HTMLElement>(files.length > 1 ? 'ul' : 'main')
                    next?.focus()
                    onChange(files.filter(({ name }) => name !== one.name))
                  }}
                >
                  <Icon name="trash" size={16} />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {more}
    </>
  )
}

/** Whether a blocker concerns a file, or an entry inside it. */
function isAbout(shownPath: string | null, name: string): boolean {
  if (shownPath === null) return false
  const path = shownPath.replaceAll(ESCAPED, (_, long?: string, short?: string) =>
    String.fromCodePoint(Number.parseInt(long ?? short ?? '', 16)),
  )
  return path === name || path.startsWith(`${name}/`) || path.startsWith(`${name}:`)
}

/** The rules escape invisible characters in paths. Valid names contain no backslash. */
const ESCAPED = /\\u(?:\{([0-9a-f]{5,6})\}|([0-9a-f]{4}))/g

interface MarkProps {
  readonly blockers: readonly Blocker[]
  readonly isChecked: boolean
  readonly progress: FileProgress | undefined
}

function FileMark({ blockers, isChecked, progress }: MarkProps) {
  if (progress?.is === 'sent') return <Icon name="check" className="icon good" />
  if (blockers.length > 0 || progress?.is === 'failed') return <Icon name="cross" className="icon bad" />
  return <Icon name={isChecked ? 'check' : 'file'} className={`icon ${isChecked ? 'good' : ''}`} />
}

interface StateProps {
  readonly progress: FileProgress | undefined
  readonly file: ChosenFile
  readonly blockers: readonly Blocker[]
}

function FileState({ progress, file, blockers }: StateProps) {
  const t = texts.console.new
  if (progress?.is === 'sending') {
    const percent = file.file.size === 0 ? 100 : Math.min(100, (progress.sentBytes / file.file.size) * 100)
    return <Progress value={percent} className="file-progress" aria-label={t.sendingFile(file.name)} />
  }
  if (progress?.is === 'sent') return <span className="quiet">{t.sent}</span>
  if (progress?.is === 'failed') return <span className="bad">{progress.message}</span>
  return (
    <span className={blockers.length > 0 ? 'bad' : 'quiet'}>
      {blockers.length > 0 ? texts.console.blockers(blockers.length) : ''}
    </span>
  )
}
