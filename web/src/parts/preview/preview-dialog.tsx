import { Button, Modal } from '@mantine/core'
import { type KeyboardEvent, useMemo } from 'react'
import { Icon } from '../icons.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { FilePreview } from './file-preview.tsx'
import { loadFrom } from './load-file.ts'

/** A file that this service serves. */
export interface ServedFile {
  /** Shown to the user. */
  readonly name: string
  readonly sizeBytes: number
  /** Serves the file as an attachment, with ranges. */
  readonly url: string
  /** Where the preview is read from, if not from `url`. */
  readonly viewUrl?: string
  /** Serves the file proof. */
  readonly proofUrl?: string
}

export interface PreviewDialogProps {
  readonly files: readonly ServedFile[]
  /** The index of the file to show. The dialog is closed if undefined. */
  readonly shown: number | undefined
  onShow(index: number | undefined): void
}

/** One file of a list, with a download link. The arrow keys go to the previous and the next file. */
export function PreviewDialog({ files, shown, onShow }: PreviewDialogProps) {
  const file = shown === undefined ? undefined : files[shown]
  const load = useMemo(() => loadFrom(file?.viewUrl ?? file?.url ?? ''), [file?.viewUrl, file?.url])
  if (file === undefined || shown === undefined) return null
  const step = (by: number): void => {
    if (files[shown + by] !== undefined) onShow(shown + by)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // Long contents scroll with the arrow keys.
    if (event.target instanceof HTMLElement && event.target.role === 'region') return
    if (event.key === 'ArrowLeft') step(-1)
    if (event.key === 'ArrowRight') step(1)
  }
  return (
    <Modal
      opened
      onClose={() => onShow(undefined)}
      title={nameText(file.name)}
      size="xl"
      centered
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t('preview.close') }}
      transitionProps={{ duration: 120 }}
      onKeyDown={onKeyDown}
    >
      <FilePreview key={file.url} name={file.name} sizeBytes={file.sizeBytes} load={load} />
      <div className="row spread preview-actions">
        <span className="row">
          <Button component="a" href={file.url} download leftSection={<Icon name="download" />}>
            {t('preview.download')}, {sizeText(file.sizeBytes)}
          </Button>
          {file.proofUrl !== undefined && (
            <Button component="a" href={file.proofUrl} download variant="default">
              {t('preview.proof')}
            </Button>
          )}
        </span>
        {files.length > 1 && (
          <span className="row">
            <Button variant="default" disabled={shown === 0} onClick={() => step(-1)}>
              {t('preview.previous')}
            </Button>
            <Button variant="default" disabled={shown === files.length - 1} onClick={() => step(1)}>
              {t('preview.next')}
            </Button>
          </span>
        )}
      </div>
    </Modal>
  )
}
