import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../core/error-message.ts'
import { fetchHere } from '../../core/fetch-json.ts'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Dialog } from '../ask.tsx'
import { Alert, Loading } from '../blocks.tsx'
import { Button, LinkButton } from '../button.tsx'
import { PdfPreview } from './pdf-preview.tsx'
import { HEAD_BYTES, type Preview, previewOf } from './preview-content.ts'

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

/** Reads the first bytes of a file, all of them if it is not longer. */
type LoadFile = (maxBytes: number, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>

/** Reads a file from this service by range. */
const loadFrom =
  (url: string): LoadFile =>
  async (maxBytes, signal) => {
    const response = await fetchHere(url, { headers: { Range: `bytes=0-${maxBytes - 1}` }, signal })
    return new Uint8Array(await response.arrayBuffer())
  }

interface FilePreviewProps {
  readonly name: string
  readonly sizeBytes: number
  readonly load: LoadFile
}

/** What is made of all bytes of the file. */
interface Whole {
  readonly imageUrl?: string
  readonly bytes?: Uint8Array<ArrayBuffer>
}

type State =
  | { readonly is: 'loading' }
  | { readonly is: 'shown'; readonly preview: Preview; readonly whole: Whole }
  | { readonly is: 'failed'; readonly message: string }

const NEEDS_ALL: ReadonlySet<Preview['is']> = new Set(['image', 'pdf'])

/**
 * Shows text, tables, raster images and PDF files. Everything else is not shown: no content of a file becomes part of
 * the page's HTML, so nothing in it can run.
 */
function FilePreview({ name, sizeBytes, load }: FilePreviewProps) {
  const [state, setState] = useState<State>({ is: 'loading' })
  useEffect(() => {
    const stop = new AbortController()
    let imageUrl: string | undefined
    setState({ is: 'loading' })
    const read = async (): Promise<void> => {
      const head = sizeBytes === 0 ? new Uint8Array() : await load(HEAD_BYTES, stop.signal)
      const preview = previewOf(name, head, sizeBytes)
      const isWhole = head.length >= sizeBytes || !NEEDS_ALL.has(preview.is)
      const bytes = isWhole ? head : await load(sizeBytes, stop.signal)
      if (stop.signal.aborted) return
      if (preview.is === 'image')
        imageUrl = URL.createObjectURL(new Blob([bytes], { type: preview.mediaType }))
      const whole = imageUrl === undefined ? { bytes } : { imageUrl }
      setState({ is: 'shown', preview, whole })
    }
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setState({ is: 'failed', message: messageOf(error) })
    })
    return () => {
      stop.abort()
      if (imageUrl !== undefined) URL.revokeObjectURL(imageUrl)
    }
  }, [name, sizeBytes, load])
  return (
    <div className="preview" aria-busy={state.is === 'loading'}>
      {state.is === 'loading' && <Loading />}
      {state.is === 'failed' && <Alert tone="warn" text={t('preview.failed', { why: state.message })} />}
      {state.is === 'shown' && <Content {...state} name={name} />}
    </div>
  )
}

interface ContentProps {
  readonly preview: Preview
  readonly whole: Whole
  readonly name: string
}

function Content({ preview, whole, name }: ContentProps) {
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
          src={whole.imageUrl}
          alt={t('preview.contentOf', { name })}
          onError={() => setIsBroken(true)}
        />
      )
    case 'pdf':
      return whole.bytes !== undefined && <PdfPreview name={name} bytes={whole.bytes} />
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
