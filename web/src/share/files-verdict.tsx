import { verdictHeading, VERDICTS, type VerificationReport } from '@kitseal/kit'
import { useEffect, useState } from 'react'
import { messageOf } from '../console/problem.tsx'
import { Alert, Notice } from '../parts/blocks.tsx'
import { nameText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { publishedKeys } from '../verify/published-keys.ts'
import type { SharedFile, SharedKit } from './shared-kit.ts'
import { verifyFile } from './verify-file.ts'

type State =
  | { readonly is: 'running'; readonly done: number }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'done'; readonly reports: readonly (readonly [SharedFile, VerificationReport])[] }

/** The verdict on single files, each checked with its own proof. */
export function FilesVerdict({ base, share }: { readonly base: string; readonly share: SharedKit }) {
  const [state, setState] = useState<State>({ is: 'running', done: 0 })
  const { files } = share
  useEffect(() => {
    const stop = new AbortController()
    const verify = async (): Promise<void> => {
      const keys = await publishedKeys()
      const reports: (readonly [SharedFile, VerificationReport])[] = []
      for (const file of files) {
        reports.push([file, await verifyFile(base, file, keys, stop.signal)])
        setState({ is: 'running', done: reports.length })
      }
      setState({ is: 'done', reports })
    }
    verify().catch((error: unknown) => {
      if (!stop.signal.aborted) setState({ is: 'failed', message: messageOf(error) })
    })
    return () => stop.abort()
  }, [base, files])
  const t = texts.share
  if (state.is === 'running')
    return (
      <Notice tone="info">
        <span role="status">{t.checkingFiles(state.done, files.length)}</span>
      </Notice>
    )
  if (state.is === 'failed') return <Alert title={t.notVerified} text={state.message} />
  const bad = state.reports.filter(([, { status }]) => status !== 'PASS')
  const [worst] = bad
  if (worst === undefined)
    return (
      <div aria-live="polite">
        <Notice tone="pass" title={t.filesVerified(files.length)}>
          {t.filesVerifiedText}
        </Notice>
      </div>
    )
  const [, report] = worst
  return (
    <div aria-live="polite">
      <Notice tone="fail" title={verdictHeading(report)}>
        <p>{VERDICTS[report.verdict].advice}</p>
        <ul>
          {bad.map(([{ path }, { errors }]) => (
            <li key={path}>
              {nameText(path)}: {errors[0]}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
