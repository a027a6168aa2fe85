import { type Result, showResult, type Verdict } from '@kitseal/kit/in-browser'
import '@kitseal/kit/in-browser/result.css'
import { useEffect, useRef } from 'react'
import { sizeText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Alert, Notice } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import { copyButton } from '../parts/copy-button.tsx'
import { serviceVerdict } from './service-verdict.ts'
import type { Verifiable, Verification } from './use-verification.ts'

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

/** Where the issuer itself can confirm a kit, if this page cannot. */
export function AdviceLink({ verdict: { advice } }: { readonly verdict: Verdict }) {
  if (advice?.link === undefined) return null
  return (
    <>
      {t('verify.askIssuer')}{' '}
      <a href={advice.link} target="_blank" rel="noreferrer">
        {advice.link}
      </a>
    </>
  )
}

/** The verdict on a kit in a few words, with all that was checked below. */
export function VerdictNotice({ result, kitId }: { readonly result: Result; readonly kitId: string }) {
  const verdict = serviceVerdict(result, kitId)
  return (
    <div aria-live="polite">
      <Notice tone={verdict.tone} title={verdict.heading}>
        {verdict.sentence} <AdviceLink verdict={verdict} />
        <details className="more">
          <summary>{t('verify.how')}</summary>
          <ResultView result={result} expectedKitId={kitId} />
        </details>
      </Notice>
    </div>
  )
}

export interface KitVerdictProps {
  readonly kit: Verifiable
  readonly verification: Verification
  /** The text of the button that starts. */
  readonly action: string
}

/** The verdict on one kit: what is known of it, how far it is, or the button that starts. */
export function KitVerdict({ kit, verification: { states, start, stop }, action }: KitVerdictProps) {
  const state = states.get(kit.id)
  if (state?.is === 'running') return <Progress of={kit} readBytes={state.readBytes} onStop={stop} />
  if (state?.is === 'done') return <VerdictNotice result={state.outcome} kitId={kit.id} />
  return (
    <>
      <Alert title={t('verify.notVerified')} text={state?.message} />
      <Button icon="shield" onClick={start}>
        {action}
      </Button>
    </>
  )
}

export interface ProgressProps {
  readonly of: Pick<Verifiable, 'name' | 'sizeBytes'>
  readonly readBytes: number
  /** The reader started it: the element that had the focus is gone. */
  readonly hasFocus?: boolean
  onStop(): void
}

/** How far a verification is, and how to stop it. */
export function Progress({ of: { name, sizeBytes }, readBytes, hasFocus = false, onStop }: ProgressProps) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (hasFocus) card.current?.querySelector('button')?.focus()
  }, [hasFocus])
  // Slightly more than the file size is read, because parts of a kit are read twice.
  const read = Math.min(readBytes, sizeBytes)
  return (
    <section ref={card} className="card" aria-label={t('verify.working', { name })}>
      <p className="strong">{t('verify.working', { name })}</p>
      <progress max={Math.max(1, sizeBytes)} value={read} aria-label={t('verify.working', { name })} />
      <div className="row spread">
        <span className="quiet">
          {t('verify.progress', { done: sizeText(read), all: sizeText(sizeBytes) })}
        </span>
        <Button
          onClick={() => {
            document.querySelector('main')?.focus()
            onStop()
          }}
        >
          {t('verify.stop')}
        </Button>
      </div>
    </section>
  )
}
