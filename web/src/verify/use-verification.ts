import { NO_TRUST } from '@kitseal/kit'
import {
  type Result,
  type RunningVerification,
  type Subject,
  subjectBytes,
  verifyInWorker,
} from '@kitseal/kit/in-browser'
import { useCallback, useEffect, useRef, useState } from 'react'
import { t } from '../core/texts.ts'
import type { PublishedKeys } from './published-keys.ts'
import type { Given } from './use-reader-forms.ts'

export type VerificationState =
  | { readonly is: 'idle'; readonly problem?: string }
  | { readonly is: 'running'; readonly name: string; readonly readBytes: number; readonly allBytes: number }
  | { readonly is: 'done'; readonly result: Result; readonly subject: Subject }

export interface UseVerification {
  readonly state: VerificationState
  /** Verifies with the keys and the log of this service, or with what the reader gave. */
  start(subject: Subject, published: PublishedKeys, given?: Given): void
  /** Stops a running verification and removes the result. */
  reset(problem?: string): void
}

/** Runs one verification at a time; starting another replaces the result. */
export function useVerification(): UseVerification {
  const [state, setState] = useState<VerificationState>({ is: 'idle' })
  const running = useRef<Running>(undefined)
  const reset = useCallback((problem?: string) => {
    running.current?.stop()
    running.current = undefined
    setState({ is: 'idle', ...(problem === undefined ? {} : { problem }) })
  }, [])
  const start = useCallback(
    (subject: Subject, published: PublishedKeys, given: Given = {}) => {
      running.current?.stop()
      const { name } = subject
      const onProgress = (readBytes: number): void =>
        setState({ is: 'running', name, readBytes, allBytes: subjectBytes(subject) })
      const mine = runVerification(subject, published, given, onProgress)
      running.current = mine
      mine.done.then(
        (result) => {
          if (running.current === mine) setState({ is: 'done', subject, result })
        },
        (error: unknown) => {
          if (running.current === mine) reset(t('verify.failed', { why: String(error) }))
        },
      )
    },
    [reset],
  )
  useEffect(() => () => running.current?.stop(), [])
  return { state, start, reset }
}

type Running = Pick<RunningVerification, 'stop'> & { readonly done: Promise<Result> }

/** Verifies in a worker, with the keys and the log of this service, or with what the reader gave. */
export function runVerification(
  subject: Subject,
  { keys, logs }: PublishedKeys,
  given: Given,
  onProgress: (readBytes: number) => void,
): Running {
  const { is: kind, name } = subject
  const sizeBytes = subjectBytes(subject)
  const startedAt = performance.now()
  onProgress(0)
  const trust = { ...NO_TRUST, ...(given.keys ?? { keySets: [keys] }), logs, ...given.policy }
  const { done, stop } = verifyInWorker(createWorker, { subject, trust }, onProgress)
  const about = (): Omit<Result, keyof Awaited<typeof done>> => ({
    kind,
    name,
    sizeBytes,
    tookMs: performance.now() - startedAt,
    verifiedAt: new Date(),
    site: given.keys === undefined ? keys : undefined,
  })
  return { stop, done: done.then((verification) => ({ ...verification, ...about() })) }
}

const createWorker = (): Worker =>
  new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
