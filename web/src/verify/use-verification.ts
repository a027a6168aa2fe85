import type { KeySet } from '@kitseal/kit'
import { useCallback, useEffect, useRef, useState } from 'react'
import { texts } from '../texts/index.ts'
import type { Result } from './result-view.tsx'
import { type Running, runVerification } from './run-verification.ts'
import { type Subject, subjectBytes, subjectName } from './subject.ts'

export type VerificationState =
  | { readonly is: 'idle'; readonly problem?: string }
  | { readonly is: 'running'; readonly name: string; readonly readBytes: number; readonly allBytes: number }
  | { readonly is: 'done'; readonly result: Result }

export interface UseVerification {
  readonly state: VerificationState
  start(subject: Subject, keys: KeySet, expectedKitId?: string): void
  /** Ends what runs and takes the result away; a problem is shown in its place. */
  reset(problem?: string): void
}

/** One verification at a time; a result stands only for what was given last. */
export function useVerification(): UseVerification {
  const [state, setState] = useState<VerificationState>({ is: 'idle' })
  const running = useRef<Running>(undefined)
  const reset = useCallback((problem?: string) => {
    running.current?.stop()
    running.current = undefined
    setState({ is: 'idle', ...(problem === undefined ? {} : { problem }) })
  }, [])
  const start = useCallback(
    (subject: Subject, keys: KeySet, expectedKitId?: string) => {
      running.current?.stop()
      const name = subjectName(subject)
      const allBytes = subjectBytes(subject)
      const began = performance.now()
      setState({ is: 'running', name, readBytes: 0, allBytes })
      const mine = runVerification({ subject, keys }, (readBytes) =>
        setState({ is: 'running', name, readBytes, allBytes }),
      )
      running.current = mine
      mine.done.then(
        ({ report, receipt, fileCount }) => {
          if (running.current !== mine) return
          const kind = subject.is === 'receipt' ? 'receipt' : subject.kit.is
          const tookMs = performance.now() - began
          const verifiedAt = new Date()
          setState({
            is: 'done',
            result: {
              kind,
              name,
              report,
              receipt,
              fileCount,
              sizeBytes: allBytes,
              verifiedAt,
              tookMs,
              expectedKitId,
            },
          })
        },
        (error: unknown) => {
          if (running.current === mine) reset(texts.verify.failed(String(error)))
        },
      )
    },
    [reset],
  )
  useEffect(() => () => running.current?.stop(), [])
  return { state, start, reset }
}
