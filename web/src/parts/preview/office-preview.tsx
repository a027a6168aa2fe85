import { useEffect, useState } from 'react'
import { Alert } from '../blocks.tsx'
import { t } from '../../core/texts.ts'
import { type OfficeContent, type PreviewedSheet, SHEET_LIMITS } from './office-content.ts'
import { TableRows } from './table-rows.tsx'

export interface OfficePreviewProps {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

type State = OfficeContent | { readonly is: 'loading' } | { readonly is: 'slow' }

const TIMEOUT_MS = 15_000

/** The values of a workbook, or the text and the tables of a document. The reader is downloaded when the first one is opened. */
export function OfficePreview({ name, bytes }: OfficePreviewProps) {
  const [state, setState] = useState<State>({ is: 'loading' })
  useEffect(() => {
    const worker = new Worker(new URL('./office-worker.ts', import.meta.url), { type: 'module' })
    const end = (next: State): void => {
      clearTimeout(timer)
      worker.terminate()
      setState(next)
    }
    const timer = setTimeout(end, TIMEOUT_MS, { is: 'slow' })
    worker.addEventListener('message', ({ data }: MessageEvent<OfficeContent>) => end(data))
    worker.addEventListener('error', () => end({ is: 'damaged' }))
    worker.postMessage(bytes)
    return () => {
      clearTimeout(timer)
      worker.terminate()
    }
  }, [bytes])
  switch (state.is) {
    case 'loading':
      return <p className="quiet loading">{t('common.loading')}…</p>
    case 'workbook':
      return <Workbook name={name} sheets={state.sheets} />
    case 'document':
      return <Document name={name} document={state} />
    case 'other':
      return <p className="quiet">{t('preview.none')}</p>
    case 'large':
      return <p className="quiet">{t('preview.large')}</p>
    default:
      return <Alert tone="warn" text={t(`preview.office.${state.is}`)} />
  }
}

interface WorkbookProps {
  readonly name: string
  readonly sheets: readonly PreviewedSheet[]
}

function Workbook({ name, sheets }: WorkbookProps) {
  const [shown, setShown] = useState(0)
  const sheet = sheets[shown]
  return (
    <>
      {sheets.length > 1 && (
        <label className="preview-sheet">
          {t('preview.office.sheet')}{' '}
          <select value={shown} onChange={({ currentTarget }) => setShown(Number(currentTarget.value))}>
            {sheets.map((each, index) => (
              <option key={index} value={index}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {sheet === undefined || sheet.rows.length === 0 ? (
        <p className="quiet">{t('preview.office.emptySheet')}</p>
      ) : (
        <div
          tabIndex={0}
          role="region"
          aria-label={t('preview.contentOf', { name })}
          className="preview-table"
        >
          <TableRows rows={sheet.rows} />
        </div>
      )}
      {sheet?.cutRows === true && (
        <p className="quiet">{t('preview.firstRows', { count: sheet.rows.length })}</p>
      )}
      {sheet?.cutColumns === true && (
        <p className="quiet">{t('preview.office.firstColumns', { count: SHEET_LIMITS.columns })}</p>
      )}
      <p className="quiet">{t('preview.office.sheetHint')}</p>
    </>
  )
}

interface DocumentProps {
  readonly name: string
  readonly document: Extract<OfficeContent, { readonly is: 'document' }>
}

function Document({ name, document: { blocks, isCut } }: DocumentProps) {
  return (
    <>
      {blocks.length === 0 ? (
        <p className="quiet">{t('preview.office.emptyDocument')}</p>
      ) : (
        <div
          tabIndex={0}
          role="region"
          aria-label={t('preview.contentOf', { name })}
          className="preview-document"
        >
          {blocks.map((block, at) =>
            block.is === 'table' ? (
              <div key={at} className="preview-table">
                <TableRows rows={block.rows} />
              </div>
            ) : (
              <p key={at} className={block.isHeading ? 'preview-heading' : undefined}>
                {block.text}
              </p>
            ),
          )}
        </div>
      )}
      {isCut && <p className="quiet">{t('preview.cut')}</p>}
      <p className="quiet">{t('preview.office.documentHint')}</p>
    </>
  )
}
