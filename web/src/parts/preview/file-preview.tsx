import { useEffect, useState } from 'react'
import { messageOf } from '../../core/error-message.ts'
import { Alert } from '../blocks.tsx'
import { t } from '../../core/texts.ts'
import './preview.css'
import type { LoadFile } from './load-file.ts'
import { PdfPreview } from './pdf-preview.tsx'
import { HEAD_BYTES, type Preview, previewOf } from './preview-content.ts'
import { TableRows } from './table-rows.tsx'

export interface FilePreviewProps {
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
export function FilePreview({ name, sizeBytes, load }: FilePreviewProps) {
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
      {state.is === 'loading' && <p className="quiet">{t('common.loading')}…</p>}
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
  switch (preview.is) {
    case 'text':
      return (
        <>
          <pre
            tabIndex={0}
            role="region"
            aria-label={t('preview.contentOf', { name })}
            className="preview-text"
          >
            {preview.text}
          </pre>
          {preview.isCut && <p className="quiet">{t('preview.cut')}</p>}
        </>
      )
    case 'table':
      return (
        <>
          <div
            tabIndex={0}
            role="region"
            aria-label={t('preview.contentOf', { name })}
            className="preview-table"
          >
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
    case 'large':
      return <p className="quiet">{t('preview.large')}</p>
    case 'empty':
      return <p className="quiet">{t('preview.empty')}</p>
    default:
      return <p className="quiet">{t('preview.none')}</p>
  }
}
