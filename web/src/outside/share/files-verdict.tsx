import { keyText, type VerificationReport } from '@kitseal/kit/internal'
import { kitVerdict, type SiteKeySet } from '@kitseal/kit/in-browser'
import { errorText } from '@kitseal/kit/in-browser/words'
import { useEffect, useState } from 'react'
import { messageOf } from '../../core/error-message.ts'
import { Alert, Notice } from '../../parts/blocks.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { AdviceLink } from '../../verify/advice-link.tsx'
import { publishedKeys } from '../../verify/published-keys.ts'
import type { SharedFile, ShareVerdictProps } from './shared-kit.ts'
import { verifyFile } from './verify-file.ts'

type State =
  | { readonly is: 'running'; readonly done: number }
  | { readonly is: 'failed'; readonly message: string }
  | {
      readonly is: 'done'
      readonly reports: readonly (readonly [SharedFile, VerificationReport])[]
      readonly site: SiteKeySet
    }

/** The verdict on single files, each checked with its own proof. */
export function FilesVerdict({ base, share, onVerdict }: ShareVerdictProps) {
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
      setState({ is: 'done', reports, site: keys.keys })
      onVerdict(reports.every(([, { status }]) => status === 'PASS'))
    }
    verify().catch((error: unknown) => {
      if (!stop.signal.aborted) setState({ is: 'failed', message: messageOf(error) })
    })
    return () => stop.abort()
  }, [base, files, onVerdict])
  if (state.is === 'running')
    return (
      <Notice tone="info">
        <span role="status">{t('share.checkingFiles', { done: state.done, all: files.length })}</span>
      </Notice>
    )
  if (state.is === 'failed') return <Alert title={t('share.notVerified')} text={state.message} />
  const bad = state.reports.filter(([, { status }]) => status !== 'PASS')
  const [worst] = bad
  const [first] = state.reports
  if (worst === undefined && first !== undefined)
    return (
      <div aria-live="polite">
        <Notice tone="pass" title={t('share.filesVerified', { count: files.length })}>
          {t('share.filesVerifiedText', { key: keyText(first[1].signer, t) })}
        </Notice>
      </div>
    )
  const report = worst?.[1]
  if (report === undefined) return null
  const verdict = kitVerdict({ report, receipt: share, site: state.site, kind: 'zip' })
  return (
    <div aria-live="polite">
      <Notice tone={verdict.tone} title={verdict.heading}>
        <p>
          {verdict.sentence} <AdviceLink verdict={verdict} />
        </p>
        <ul>
          {bad.map(([{ path }, { errors, error_messages }]) => (
            <li key={path}>
              {nameText(path) + t('common.colon')}
              {errorText(errors[0] ?? '', error_messages?.[0])}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
