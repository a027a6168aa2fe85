import { type KeyboardEvent, useMemo } from 'react'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Dialog } from '../ask.tsx'
import { Button, LinkButton } from '../button.tsx'
import { FilePreview } from './file-preview.tsx'
import { loadFrom } from './load-file.ts'
import './preview.css'

/** A file that this service serves. */
interface ServedFile {
  readonly name: string
  readonly sizeBytes: number
  readonly url: string
  readonly viewUrl?: string | undefined
  readonly proofUrl?: string | undefined
}

export interface PreviewDialogProps {
  readonly files: readonly ServedFile[]
  /** The name of the file to show. The dialog is closed if undefined. */
  readonly shown: string | undefined
  onShow(name: string | undefined): void
}

/** One file of a list, with a download link. The arrow keys go to the previous and the next file. */
export function PreviewDialog({ files, shown, onShow }: PreviewDialogProps) {
  const at = files.findIndex(({ name }) => name === shown)
  const file = files[at]
  const load = useMemo(() => loadFrom(file?.viewUrl ?? file?.url ?? ''), [file?.viewUrl, file?.url])
  if (file === undefined) return null
  const step = (by: number): void => {
    const next = files[at + by]
    if (next !== undefined) onShow(next.name)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // Long contents scroll with the arrow keys.
    if (event.target instanceof HTMLElement && event.target.role === 'region') return
    if (event.key === 'ArrowLeft') step(-1)
    if (event.key === 'ArrowRight') step(1)
  }
  return (
    <Dialog title={nameText(file.name)} size="large" onClose={() => onShow(undefined)} onKeyDown={onKeyDown}>
      <FilePreview key={file.url} name={file.name} sizeBytes={file.sizeBytes} load={load} />
      <div className="row spread preview-actions">
        <span className="row">
          <LinkButton look="main" icon="download" href={file.url} download>
            {t('preview.download')}, {sizeText(file.sizeBytes)}
          </LinkButton>
          {file.proofUrl !== undefined && (
            <LinkButton href={file.proofUrl} download>
              {t('preview.proof')}
            </LinkButton>
          )}
        </span>
        {files.length > 1 && (
          <span className="row">
            <Button disabled={at === 0} onClick={() => step(-1)}>
              {t('preview.previous')}
            </Button>
            <Button disabled={at === files.length - 1} onClick={() => step(1)}>
              {t('preview.next')}
            </Button>
          </span>
        )}
      </div>
    </Dialog>
  )
}
