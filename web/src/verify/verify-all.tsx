import type { ReactNode } from 'react'
import { sizeText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Notice, type NoticeProps } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import type { Verifiable, Verification } from './use-verification.ts'

export interface VerifyAllProps<Outcome> {
  readonly all: readonly Verifiable<Outcome>[]
  readonly verification: Verification<Outcome>
  /** Why something is not verified. Undefined if it is. */
  faultOf(outcome: Outcome, id: string): string | undefined
  /** What is being verified: the first, the second. */
  runningText(current: number): string
  readonly passed: { readonly title: string; readonly text: string }
  failedTitle(bad: number): string
  /** What failed, or what is only not confirmed. */
  readonly failedTone?: NoticeProps['tone']
  /** A sentence below that title. */
  readonly advice?: ReactNode
  notYetTitle(left: number): string
}

/** One verdict on several things that are verified one after the other. Green only if each of them is. */
export function VerifyAll<Outcome>({ all, verification, faultOf, ...say }: VerifyAllProps<Outcome>) {
  const { states, isRunning, start, stop } = verification
  const ended = all.filter(({ id }) => /done|failed/.test(states.get(id)?.is ?? ''))
  const bad = ended.flatMap(({ id, name }) => {
    const state = states.get(id)
    const why = state?.is === 'done' ? faultOf(state.outcome, id) : state?.is === 'failed' && state.message
    return why === undefined || why === false ? [] : [{ id, name, why }]
  })
  if (isRunning) {
    const current = all.find(({ id }) => states.get(id)?.is === 'running')
    const state = current && states.get(current.id)
    const part = state?.is === 'running' ? state.readBytes / Math.max(1, current?.sizeBytes ?? 1) : 0
    const title = say.runningText(Math.min(ended.length, all.length - 1) + 1)
    return (
      <Notice tone="info" title={<span role="status">{title}</span>}>
        <progress max={all.length} value={ended.length + Math.min(1, part)} aria-label={title} />
        <Button size="small" onClick={stop}>
          {t('verify.stop')}
        </Button>
      </Notice>
    )
  }
  const size = sizeText(all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  const again = (
    <Button size="small" onClick={start}>
      {ended.length === 0 ? t('share.verifyNow', { size }) : t('room.verify.again')}
    </Button>
  )
  if (bad.length > 0)
    return (
      <Notice tone={say.failedTone ?? 'fail'} title={say.failedTitle(bad.length)} isAlert>
        {say.advice}
        <ul>
          {bad.map(({ id, name, why }) => (
            <li key={id}>
              {name + t('common.colon')}
              {why}
            </li>
          ))}
        </ul>
        {again}
      </Notice>
    )
  const isWhole = ended.length === all.length
  return (
    <div aria-live="polite">
      <Notice
        tone={isWhole ? 'pass' : 'info'}
        title={isWhole ? say.passed.title : say.notYetTitle(all.length - ended.length)}
      >
        <p>{isWhole ? say.passed.text : t('share.large')}</p>
        {again}
      </Notice>
    </div>
  )
}
