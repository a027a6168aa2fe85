import type { PickedItems } from '@kitseal/kit/in-browser'
import { Progress } from '@mantine/core'
import { useState } from 'react'
import { formatBytes } from '@kitseal/kit'
import { BlockerList, blockersText } from '../console/blocker-list.tsx'
import type { Blocker } from '../console/types.ts'
import { Card, Notice } from '../parts/blocks.tsx'
import { DropArea, usePageDrops } from '../parts/drop-area.tsx'
import { useFirstRows } from '../parts/first-rows.tsx'
import { Icon } from '../parts/icons.tsx'
import { limitText, nameText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { type ChosenFile, chosenFiles, merged, totalBytes } from './chosen-files.ts'
import type { CheckState } from './use-check.ts'
import type { FileProgress } from './use-upload.ts'

export interface EvidencePickerProps {
  readonly files: readonly ChosenFile[]
  readonly check: CheckState
  readonly progress: ReadonlyMap<string, FileProgress>
  readonly limitBytes: number
  /** Names that the service already has: it would take a second file of that name for a collision. */
  readonly there?: ReadonlySet<string>
  /** While it is sent, nothing can be added or taken away. */
  readonly isFixed: boolean
  onChange(files: readonly ChosenFile[]): void
}

/** Files to send: dropped or chosen, checked here, each with its progress on the way. */
export function EvidencePicker(props: EvidencePickerProps) {
  const { files, check, isFixed, limitBytes, onChange } = props
  const [problem, setProblem] = useState<string>()
  const t = texts.console.new
  const all = totalBytes(files)
  const isThere = (name: string): boolean =>
    props.there?.has(name) === true || props.progress.get(name)?.is === 'sent'
  const onItems = (items: PickedItems): void => {
    const given = chosenFiles(items)
    const added = given.filter(({ name }) => !isThere(name))
    if (given.length === 0) setProblem(t.nothing)
    else setProblem(added.length < given.length ? t.leftOut(given.length - added.length) : undefined)
    if (added.length > 0) onChange(merged(files, added))
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
      <CheckView check={check} />
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
                  aria-label={t.leaveOut(one.name)}
                  title={t.leaveOut(one.name)}
                  onClick={({ currentTarget }) => {
                    // The button goes with its file; the keyboard goes on from the list, while there is one.
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

/** A blocker is about a file, or about something inside the archive that it is. */
function isAbout(shownPath: string | null, name: string): boolean {
  if (shownPath === null) return false
  const path = shownPath.replaceAll(WRITTEN_OUT, (_, long?: string, short?: string) =>
    String.fromCodePoint(Number.parseInt(long ?? short ?? '', 16)),
  )
  return path === name || path.startsWith(`${name}/`) || path.startsWith(`${name}:`)
}

/** So the rules write what does not show. No name that they let through holds a backslash. */
const WRITTEN_OUT = /\\u(?:\{([0-9a-f]{5,6})\}|([0-9a-f]{4}))/g

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

function CheckView({ check }: { readonly check: CheckState }) {
  const t = texts.console.new.check
  return (
    <div role="status">
      {check.is === 'running' && <p className="quiet">{t.running}…</p>}
      {check.is === 'failed' && (
        <Notice tone="warn" title={t.failedTitle}>
          {t.failed(check.message)}
        </Notice>
      )}
      {check.is === 'done' && check.blockers.length === 0 && (
        <Notice tone="pass" title={t.goodTitle}>
          {t.good}
        </Notice>
      )}
      {check.is === 'done' && check.blockers.length > 0 && (
        <Card title={t.badTitle(blockersText(check.blockers))}>
          <p className="quiet">{t.bad}</p>
          <BlockerList blockers={check.blockers} />
        </Card>
      )}
    </div>
  )
}
