import { useEffect, useRef, useState } from 'react'
import { sentences } from '@kitseal/kit/in-browser/words'
import { messageOf } from '../../core/error-message.ts'
import { Alert, Loading } from '../blocks.tsx'
import { Button } from '../button.tsx'
import { t } from '../../core/texts.ts'
import type { OpenPdf, PdfProblem, Undrawn } from './open-pdf.ts'

type State =
  | { readonly is: 'loading' }
  | { readonly is: 'open'; readonly pdf: OpenPdf }
  | { readonly is: PdfProblem }
  | { readonly is: 'failed'; readonly message: string }

/** Draws one page at a time. The PDF reader is downloaded when the first PDF file is opened. */
export function PdfPreview({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
  const [state, setState] = useState<State>({ is: 'loading' })
  const [page, setPage] = useState(1)
  useEffect(() => {
    const stop = new AbortController()
    const open = async (): Promise<State> => {
      const { openPdf } = await import('./open-pdf.ts')
      stop.signal.throwIfAborted()
      const opened = await openPdf(bytes, stop.signal)
      return typeof opened === 'string' ? { is: opened } : { is: 'open', pdf: opened }
    }
    open()
      .catch((error: unknown): State => ({ is: 'failed', message: messageOf(error) }))
      .then((next) => stop.signal.aborted || setState(next))
    return () => stop.abort()
  }, [bytes])
  if (state.is === 'loading') return <Loading />
  if (state.is === 'failed') return <Alert tone="warn" text={t('preview.failed', { why: state.message })} />
  if (state.is !== 'open') return <Alert tone="warn" text={t(`preview.pdf.${state.is}`)} />
  const { pdf } = state
  return (
    <>
      <Page key={page} pdf={pdf} number={page} name={name} />
      <div className="row spread">
        <span className="quiet" role="status">
          {t('preview.pdf.page', { page, pages: pdf.pageCount })}
        </span>
        {pdf.pageCount > 1 && (
          <span className="row">
            <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t('preview.pdf.previous')}
            </Button>
            <Button disabled={page === pdf.pageCount} onClick={() => setPage(page + 1)}>
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
  readonly pdf: OpenPdf
  readonly number: number
  readonly name: string
}

function Page({ pdf, number, name }: PageProps) {
  const holder = useRef<HTMLDivElement>(null)
  const [text, setText] = useState<string>()
  const [isBroken, setIsBroken] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    // A canvas takes one drawing only, and effects may run twice.
    const canvas = document.createElement('canvas')
    canvas.ariaHidden = 'true'
    holder.current?.prepend(canvas)
    const widthPixels = (holder.current?.clientWidth ?? 0) * Math.min(window.devicePixelRatio, 2)
    pdf.drawPage({ number, canvas, widthPixels }, stop.signal).then(
      (drawn) => stop.signal.aborted || setText(drawn),
      () => stop.signal.aborted || setIsBroken(true),
    )
    return () => {
      stop.abort()
      canvas.remove()
    }
  }, [pdf, number])
  if (isBroken) return <Alert tone="warn" text={t('preview.pdf.brokenPage')} />
  return (
    <>
      {text !== undefined && <LeftOut {...pdf.undrawn()} />}
      <div
        ref={holder}
        tabIndex={0}
        role="region"
        aria-label={t('preview.contentOf', { name })}
        aria-busy={text === undefined}
        className="preview-pdf"
      >
        <p className="visually-hidden">{text}</p>
      </div>
    </>
  )
}

/** A page without its scanned image looks like an empty page. */
function LeftOut({ images, text }: Undrawn) {
  if (!images && !text) return null
  return (
    <Alert
      tone="warn"
      text={sentences([
        ...(images ? [t('preview.pdf.noImages')] : []),
        ...(text ? [t('preview.pdf.noText')] : []),
        t('preview.pdf.seeFile'),
      ])}
    />
  )
}
