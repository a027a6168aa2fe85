import { Progress } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Blocker } from '../core/findings.ts'
import { Icon } from '../parts/icons.tsx'
import { nameText, sizeText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { spoken } from '../core/finding-text.ts'
import type { ChosenFile } from './chosen-files.ts'
import { type FileRow, type FolderRow, treeRows } from './file-tree.ts'
import type { FileProgress } from './use-upload.ts'

export interface FileRowsProps {
  readonly files: readonly ChosenFile[]
  /** By file name. */
  readonly problems: ReadonlyMap<string, readonly Blocker[]>
  readonly isChecked: boolean
  readonly progress: ReadonlyMap<string, FileProgress>
  readonly isFixed: boolean
  onRemove(isRemoved: (name: string) => boolean): void
}

const ROW_HEIGHT = 42
const EACH_LEVEL_REM = 1.25

/** Chosen files as a folder tree. Only the rows in view are rendered. */
export function FileRows(props: FileRowsProps) {
  const { files, problems, isFixed } = props
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => treeRows(files, closed, problems), [files, closed, problems])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })
  const toggle = ({ path, isOpen }: FolderRow): void =>
    setClosed((before) =>
      isOpen ? new Set([...before, path]) : new Set([...before].filter((one) => one !== path)),
    )
  return (
    <div
      ref={scroller}
      className="files-view"
      role="group"
      aria-label={t('console.new.fileList')}
      tabIndex={isFixed ? 0 : undefined}
    >
      <ul className="files" tabIndex={-1} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={row.is === 'folder' ? `${row.path}/` : row.file.name}
              data-file={row.is === 'file' ? row.file.name : undefined}
              data-folder={row.is === 'folder' ? row.path : undefined}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              aria-level={row.depth + 1}
              style={{
                transform: `translateY(${start}px)`,
                paddingInlineStart: `${row.depth * EACH_LEVEL_REM}rem`,
              }}
            >
              {row.is === 'folder' ? (
                <Folder row={row} {...props} onToggle={() => toggle(row)} />
              ) : (
                <File row={row} {...props} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Folder({
  row,
  isFixed,
  onRemove,
  onToggle,
}: FileRowsProps & { readonly row: FolderRow; onToggle(): void }) {
  return (
    <>
      <button type="button" className="folder-toggle" aria-expanded={row.isOpen} onClick={onToggle}>
        <Icon name="chevron" size={14} />
        <Icon name="folder" />
        <span className="file-name">{nameText(row.name)}</span>
      </button>
      <span className={row.problems > 0 ? 'bad' : 'quiet'}>
        {row.problems > 0
          ? t('console.new.withProblems', { count: row.problems })
          : t('console.files', { count: row.files })}
      </span>
      <span className="quiet file-size">{sizeText(row.bytes)}</span>
      {!isFixed && (
        <Remove name={row.path} onRemove={() => onRemove((name) => name.startsWith(`${row.path}/`))} />
      )}
    </>
  )
}

function File({ row: { file, name }, ...props }: FileRowsProps & { readonly row: FileRow }) {
  const progress = props.progress.get(file.name)
  const blockers = props.problems.get(file.name) ?? []
  return (
    <>
      <span
        className="file-title"
        title={blockers[0] === undefined ? nameText(file.name) : spoken(blockers[0]).message}
      >
        <Mark hasProblem={blockers.length > 0} isChecked={props.isChecked} progress={progress} />
        <span className="file-name">{nameText(name)}</span>
      </span>
      <FileState progress={progress} file={file} blockers={blockers} />
      <span className="quiet file-size">{sizeText(file.file.size)}</span>
      {!props.isFixed && progress?.is !== 'sent' && (
        <Remove name={file.name} onRemove={() => props.onRemove((one) => one === file.name)} />
      )}
    </>
  )
}

function Remove({ name, onRemove }: { readonly name: string; onRemove(): void }) {
  const text = t('console.new.removeFile', { name })
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={text}
      title={text}
      onClick={({ currentTarget }) => {
        // The button disappears with its file, so the focus moves to the list, or to the page if nothing is left.
        const [list, main] = [currentTarget.closest('ul'), currentTarget.closest('main')]
        list?.focus()
        flushSync(onRemove)
        if (list?.isConnected !== true) main?.focus()
      }}
    >
      <Icon name="trash" size={16} />
    </button>
  )
}

interface MarkProps {
  readonly hasProblem: boolean
  readonly isChecked: boolean
  readonly progress: FileProgress | undefined
}

function Mark({ hasProblem, isChecked, progress }: MarkProps) {
  if (progress?.is === 'sent') return <Icon name="check" className="icon good" />
  if (hasProblem || progress?.is === 'failed') return <Icon name="cross" className="icon bad" />
  return <Icon name={isChecked ? 'check' : 'file'} className={`icon ${isChecked ? 'good' : ''}`} />
}

interface StateProps {
  readonly progress: FileProgress | undefined
  readonly file: ChosenFile
  readonly blockers: readonly Blocker[]
}

function FileState({ progress, file, blockers }: StateProps) {
  if (progress?.is === 'sending') {
    const percent = file.file.size === 0 ? 100 : Math.min(100, (progress.sentBytes / file.file.size) * 100)
    return (
      <Progress
        value={percent}
        className="file-progress"
        aria-label={t('console.new.sendingFile', { name: file.name })}
      />
    )
  }
  if (progress?.is === 'sent') return <span className="quiet">{t('console.new.sent')}</span>
  if (progress?.is === 'failed')
    return (
      <span className="bad" title={progress.message}>
        {progress.message}
      </span>
    )
  return (
    <span className="bad">
      {blockers.length > 0 ? t('console.new.problems', { count: blockers.length, more: false }) : ''}
    </span>
  )
}
