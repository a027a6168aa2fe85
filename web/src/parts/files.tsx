import { type ReactNode, useState } from 'react'
import { nameText, sizeText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { IconLink } from './button.tsx'
import { useFirstRows } from './list.tsx'
import { Icon } from './icons.tsx'
import { PreviewDialog, type ServedFile } from './preview/preview-dialog.tsx'

/** A file in a list. With a `url`, it can be looked at and downloaded. */
export interface ListedFile {
  /** Shown to the user, and unique in the list. */
  readonly name: string
  readonly sizeBytes?: number | undefined
  /** Serves the file as an attachment, with ranges. */
  readonly url?: string | undefined
  /** Where the preview is read from, if not from `url`. */
  readonly viewUrl?: string | undefined
  /** Serves the file proof. */
  readonly proofUrl?: string | undefined
  /** What the file says about itself. */
  readonly summary?: string | null | undefined
}

export interface FilesProps<File extends ListedFile> {
  readonly files: readonly File[]
  /** Before the name, instead of the picture of a file. */
  mark?(file: File): ReactNode
  /** Beside the name: its progress, or what is to know about it. */
  state?(file: File): ReactNode
  /** Buttons at the end of the row. */
  actions?(file: File): ReactNode
  /** Below the row. */
  below?(file: File): ReactNode
}

/** Files, each with its name, its size and what can be done with it. */
export function Files<File extends ListedFile>({ files, ...slots }: FilesProps<File>) {
  const [shown, show] = useState<string>()
  const { rows, more } = useFirstRows(files)
  return (
    <>
      <ul className="file-list" tabIndex={-1}>
        {rows.map((file) => (
          <li key={file.name} data-file={file.name}>
            {slots.mark?.(file) ?? <Icon name="file" />}
            {file.url === undefined ? (
              <span className="file-open">
                <FileName name={file.name} />
              </span>
            ) : (
              <button
                type="button"
                className="bare file-open"
                onClick={() => show(file.name)}
                title={t('preview.open', { name: file.name })}
              >
                <FileName name={file.name} />
              </button>
            )}
            {slots.state?.(file)}
            {file.sizeBytes !== undefined && <span className="quiet">{sizeText(file.sizeBytes)}</span>}
            <span className="row file-actions">
              {file.proofUrl !== undefined && (
                <IconLink
                  icon="shield"
                  href={file.proofUrl}
                  label={t('preview.proofOf', { name: file.name })}
                  title={t('preview.proof')}
                />
              )}
              {file.url !== undefined && (
                <IconLink
                  icon="download"
                  href={file.url}
                  label={t('preview.downloadOf', { name: file.name })}
                  title={t('preview.download')}
                />
              )}
              {slots.actions?.(file)}
            </span>
            {file.summary != null && (
              <span className="quiet file-below">{t('preview.fileSays', { summary: file.summary })}</span>
            )}
            {slots.below?.(file)}
          </li>
        ))}
      </ul>
      {more}
      <PreviewDialog files={files.filter(isServed)} shown={shown} onShow={show} />
    </>
  )
}

const isServed = <File extends ListedFile>(file: File): file is File & ServedFile =>
  file.url !== undefined && file.sizeBytes !== undefined

function FileName({ name }: { readonly name: string }) {
  const start = name.lastIndexOf('/') + 1
  return (
    <>
      <span className="quiet">{nameText(name.slice(0, start))}</span>
      {nameText(name.slice(start))}
    </>
  )
}
