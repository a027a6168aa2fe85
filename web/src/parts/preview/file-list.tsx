import { type ReactNode, useState } from 'react'
import { useFirstRows } from '../first-rows.tsx'
import { Icon } from '../icons.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import './preview.css'
import { PreviewDialog, type ServedFile } from './preview-dialog.tsx'

export interface MarkedFile extends ServedFile {
  /** Shown beside the name. */
  readonly mark?: ReactNode
  /** A button beside the links. */
  readonly action?: ReactNode
  /** What the file says about itself. */
  readonly summary?: string | null
}

export interface FileListProps {
  readonly files: readonly MarkedFile[]
  /** Called when a preview is opened or closed. */
  onPreview?(isOpen: boolean): void
}

/** Files with a preview and a download link each. */
export function FileList({ files, onPreview }: FileListProps) {
  const [shown, setShown] = useState<number>()
  const show = (index: number | undefined): void => {
    setShown(index)
    onPreview?.(index !== undefined)
  }
  const { rows, more } = useFirstRows(files)
  return (
    <>
      <ul className="file-list">
        {rows.map((file, index) => (
          <li key={file.name}>
            <Icon name="file" />
            <button
              type="button"
              className="file-open"
              onClick={() => show(index)}
              title={t('preview.open', { name: file.name })}
            >
              <FileName name={file.name} />
            </button>
            {file.mark}
            <span className="quiet">{sizeText(file.sizeBytes)}</span>
            <span className="file-actions">
              {file.proofUrl !== undefined && (
                <a
                  href={file.proofUrl}
                  download
                  className="icon-button"
                  aria-label={t('preview.proofOf', { name: file.name })}
                  title={t('preview.proof')}
                >
                  <Icon name="shield" size={16} />
                </a>
              )}
              <a
                href={file.url}
                download
                className="icon-button"
                aria-label={t('preview.downloadOf', { name: file.name })}
                title={t('preview.download')}
              >
                <Icon name="download" size={16} />
              </a>
              {file.action}
            </span>
            {file.summary != null && (
              <span className="quiet file-summary">{t('preview.fileSays', { summary: file.summary })}</span>
            )}
          </li>
        ))}
      </ul>
      {more}
      <PreviewDialog files={files} shown={shown} onShow={show} />
    </>
  )
}

function FileName({ name }: { readonly name: string }) {
  const start = name.lastIndexOf('/') + 1
  return (
    <>
      <span className="quiet">{nameText(name.slice(0, start))}</span>
      {nameText(name.slice(start))}
    </>
  )
}
