import { type Result, showResult } from '@kitseal/kit/in-browser'
import { useEffect, useRef } from 'react'
import '@kitseal/kit/in-browser/result.css'
import { copyButton } from '../parts/copy-button.tsx'
import { serviceVerdict } from './service-verdict.ts'

export interface ResultViewProps {
  readonly result: Result
  readonly expectedKitId?: string | undefined
  readonly keyForm?: HTMLElement | undefined
  readonly policyForm?: HTMLElement | undefined
  onAgain?(): void
}

/** Shows a result exactly as the verifier inside each kit does. */
export function ResultView({ result, expectedKitId, keyForm, policyForm, onAgain }: ResultViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const again = useRef(onAgain)
  useEffect(() => {
    again.current = onAgain
  })
  useEffect(() => {
    if (place.current === null) return
    const verdict = serviceVerdict(result, expectedKitId)
    const { name, verifiedAt, report, receipt } = result
    const json = {
      ...report,
      checks: verdict.checks,
      name,
      expected_kit_id: expectedKitId,
      verified_at: verifiedAt,
      receipt,
    }
    showResult(place.current, result, verdict, {
      saved: { name: `verification-${receipt?.kit_id ?? 'unknown'}.json`, json },
      keyForm,
      policyForm,
      onAgain: again.current && (() => again.current?.()),
      copyButton,
    })
  }, [result, expectedKitId, keyForm, policyForm])
  return <div ref={place} />
}
