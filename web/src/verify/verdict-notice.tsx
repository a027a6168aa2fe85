import type { Result } from '@kitseal/kit/in-browser'
import { Notice } from '../parts/blocks.tsx'
import { AdviceLink } from './advice-link.tsx'
import { ResultView } from './result-view.tsx'
import { serviceVerdict } from './service-verdict.ts'

export interface VerdictNoticeProps {
  readonly result: Result
  readonly kitId: string
  /** Opens all that was checked. */
  readonly how: string
}

/** The verdict on a kit in a few words. */
export function VerdictNotice({ result, kitId, how }: VerdictNoticeProps) {
  const verdict = serviceVerdict(result, kitId)
  return (
    <div aria-live="polite" className="kit-check">
      <Notice tone={verdict.tone} title={verdict.heading}>
        {verdict.sentence} <AdviceLink verdict={verdict} />
        <details className="more">
          <summary>{how}</summary>
          <ResultView result={result} expectedKitId={kitId} />
        </details>
      </Notice>
    </div>
  )
}
