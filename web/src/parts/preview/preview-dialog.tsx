import { type KeyboardEvent, useCallback, useState } from 'react'
import { messageOf, fetchHere } from '../../core/fetch-json.ts'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { useWork } from '../../core/use-loaded.ts'
import { Dialog } from '../ask.tsx'
import { Alert, Loading } from '../blocks.tsx'
import { Button, LinkButton } from '../button.tsx'
import { PdfPreview } from './pdf-preview.tsx'
import { HEAD_BYTES, type Preview, previewOf } from './preview-content.ts'

/** A file that can be looked at. */
export interface ServedFile {
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
      <FilePreview key={file.url} {...file} url={file.viewUrl ?? file.url} />
      <div className="row spread">
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

type FilePreviewProps = Pick<ServedFile, 'name' | 'sizeBytes' | 'url'>

/** What is made of a file. An image and a PDF file need all of it. */
interface Shown {
  readonly preview: Preview
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly imageUrl?: string
}

async function readPreview({ name, sizeBytes, url }: FilePreviewProps, signal: AbortSignal): Promise<Shown> {
  const load = async (maxBytes: number) => {
    const response = await fetchHere(url, { headers: { Range: `bytes=0-${maxBytes - 1}` }, signal })
    return new Uint8Array(await response.arrayBuffer())
  }
  const head = sizeBytes === 0 ? new Uint8Array() : await load(HEAD_BYTES)
  const preview = previewOf(name, head, sizeBytes)
  const isWhole = head.length >= sizeBytes || (preview.is !== 'image' && preview.is !== 'pdf')
  const bytes = isWhole ? head : await load(sizeBytes)
  if (preview.is !== 'image' || signal.aborted) return { preview, bytes }
  const imageUrl = URL.createObjectURL(new Blob([bytes], { type: preview.mediaType }))
  signal.addEventListener('abort', () => URL.revokeObjectURL(imageUrl))
  return { preview, bytes, imageUrl }
}

/**
 * Shows text, tables, raster images and PDF files. Everything else is not shown: no content of a file becomes part of
 * the page's HTML, so nothing in it can run.
 */
function FilePreview({ name, sizeBytes, url }: FilePreviewProps) {
  const read = useCallback(
    (signal: AbortSignal) => readPreview({ name, sizeBytes, url }, signal),
    [name, sizeBytes, url],
  )
  const { value: shown, error } = useWork(read)
  return (
    <div className="preview" aria-busy={shown === undefined && error === undefined}>
      {error !== undefined && <Alert tone="warn" text={t('preview.failed', { why: messageOf(error) })} />}
      {shown === undefined ? error === undefined && <Loading /> : <Content {...shown} name={name} />}
    </div>
  )
}

interface ContentProps extends Shown {
  readonly name: string
}

function Content({ preview, bytes, imageUrl, name }: ContentProps) {
  const [isBroken, setIsBroken] = useState(false)
  // It scrolls, with the keyboard too.
  const region = { tabIndex: 0, role: 'region', 'aria-label': t('preview.contentOf', { name }) }
  switch (preview.is) {
    case 'text':
      return (
        <>
          <pre {...region} className="preview-text">
            {preview.text}
          </pre>
          {preview.isCut && <p className="quiet">{t('preview.cut')}</p>}
        </>
      )
    case 'table':
      return (
        <>
          <div {...region} className="preview-table">
            <TableRows rows={preview.rows} />
          </div>
          {preview.isCut && <p className="quiet">{t('preview.firstRows', { count: preview.rows.length })}</p>}
        </>
      )
    case 'image':
      return isBroken ? (
        <p className="quiet">{t('preview.noImage')}</p>
      ) : (
        <img
          className="preview-image"
          src={imageUrl}
          alt={t('preview.contentOf', { name })}
          onError={() => setIsBroken(true)}
        />
      )
    case 'pdf':
      return <PdfPreview name={name} bytes={bytes} />
    default:
      return <p className="quiet">{t(`preview.${preview.is}`)}</p>
  }
}

/** Rows of text. The first one names the columns. */
function TableRows({ rows: [head = [], ...rest] }: { readonly rows: readonly (readonly string[])[] }) {
  const columns = Math.max(head.length, ...rest.map((row) => row.length))
  const indexes = Array.from({ length: columns }, (_, index) => index)
  return (
    <table>
      <thead>
        <tr>
          {indexes.map((index) => (
            <th key={index} scope="col">
              {head[index]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rest.map((row, at) => (
          <tr key={at}>
            {indexes.map((index) => (
              <td key={index}>{row[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
