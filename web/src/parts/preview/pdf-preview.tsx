import { useCallback, useRef, useState } from 'react'
import { messageOf } from '../../core/fetch-json.ts'
import { t } from '../../core/texts.ts'
import { useWork } from '../../core/use-loaded.ts'
import { Alert, Loading } from '../blocks.tsx'
import { Button } from '../button.tsx'
import type { Pdf } from './open-pdf.ts'

/** Draws one page at a time. The PDF reader is downloaded when the first PDF file is opened. */
export function PdfPreview({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
  const [page, setPage] = useState(1)
  const open = useCallback(
    async (signal: AbortSignal) => {
      const { openPdf } = await import('./open-pdf.ts')
      signal.throwIfAborted()
      return openPdf(bytes, signal)
    },
    [bytes],
  )
  const { value: pdf, error } = useWork(open)
  if (error !== undefined) return <Alert tone="warn" text={t('preview.failed', { why: messageOf(error) })} />
  if (pdf === undefined) return <Loading />
  if (typeof pdf === 'string') return <Alert tone="warn" text={t(`preview.pdf.${pdf}`)} />
  return (
    <>
      <Page key={page} pdf={pdf} number={page} name={name} />
      <div className="row spread">
        <span className="quiet" role="status">
          {t('preview.pdf.page', { page, pages: pdf.numPages })}
        </span>
        {pdf.numPages > 1 && (
          <span className="row">
            <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t('preview.pdf.previous')}
            </Button>
            <Button disabled={page === pdf.numPages} onClick={() => setPage(page + 1)}>
              {t('preview.pdf.next')}
            </Button>
          </span>
        )}
      </div>
      <p className="quiet">{t('preview.pdf.hint')}</p>
    </>
  )
}

interface PageProps {
  readonly pdf: Pdf
  readonly number: number
  readonly name: string
}

function Page({ pdf, number, name }: PageProps) {
  const holder = useRef<HTMLDivElement>(null)
  const draw = useCallback(
    async (signal: AbortSignal) => {
      const { drawPage } = await import('./open-pdf.ts')
      // A canvas takes one drawing only, and effects may run twice.
      const canvas = document.createElement('canvas')
      canvas.ariaHidden = 'true'
      holder.current?.replaceChildren(canvas)
      const widthPixels = (holder.current?.clientWidth ?? 0) * Math.min(window.devicePixelRatio, 2)
      return drawPage(pdf, number, canvas, widthPixels, signal)
    },
    [pdf, number],
  )
  const { value: text, error } = useWork(draw)
  if (error !== undefined) return <Alert tone="warn" text={t('preview.pdf.brokenPage')} />
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={t('preview.contentOf', { name })}
      aria-busy={text === undefined}
      className="preview-pdf"
    >
      <div ref={holder} />
      <p className="visually-hidden">{text}</p>
    </div>
  )
}
