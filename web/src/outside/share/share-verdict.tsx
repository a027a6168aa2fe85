import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { messageOf } from '../../core/error-message.ts'
import { Alert, Notice } from '../../parts/blocks.tsx'
import { sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { ProgressView } from '../../verify/progress-view.tsx'
import { VerdictNotice } from '../../verify/verdict-notice.tsx'
import { useVerification } from '../../verify/use-verification.ts'
import { FilesVerdict } from './files-verdict.tsx'
import { readAll } from './read-all.ts'
import { publishedKeys } from '../../verify/published-keys.ts'
import type { ShareVerdictProps } from './shared-kit.ts'

/** More is verified only on request, because all of it is downloaded. */
const AUTOMATIC_BYTES = 200 * 1024 * 1024

/** Verifies what is shared in this browser, with the keys that the service publishes. */
export function ShareVerdict({ base, share, onVerdict }: ShareVerdictProps) {
  const sizeBytes = share.kit?.size_bytes ?? share.files.reduce((sum, file) => sum + file.size_bytes, 0)
  const [isStarted, setIsStarted] = useState(sizeBytes <= AUTOMATIC_BYTES)
  if (!isStarted)
    return (
      <Notice tone="info" title={t('share.notYet')}>
        <p>{t('share.large')}</p>
        <Button variant="default" onClick={() => setIsStarted(true)}>
          {t('share.verifyNow', { size: sizeText(sizeBytes) })}
        </Button>
      </Notice>
    )
  return share.shared === 'kit' ? (
    <KitVerdict base={base} share={share} onVerdict={onVerdict} />
  ) : (
    <FilesVerdict base={base} share={share} onVerdict={onVerdict} />
  )
}

function KitVerdict({ base, share, onVerdict }: ShareVerdictProps) {
  const { state, start, reset } = useVerification()
  const [read, setRead] = useState(0)
  const name = `${share.kit_id}.zip`
  const allBytes = share.kit?.size_bytes ?? 0
  useEffect(() => {
    const stop = new AbortController()
    const verify = async (): Promise<void> => {
      const [keys, bytes] = await Promise.all([
        publishedKeys(),
        readAll(`${base}/view/kit.zip`, stop.signal, setRead),
      ])
      if (stop.signal.aborted) return
      start({ is: 'zip', name, file: new File([bytes], name, { type: 'application/zip' }) }, keys)
    }
    verify().catch((error: unknown) => {
      if (!stop.signal.aborted) reset(messageOf(error))
    })
    return () => stop.abort()
  }, [base, name, start, reset])
  useEffect(() => {
    if (state.is !== 'done') return
    const { verdict, provenance } = state.result.report
    onVerdict(verdict === 'verified', provenance)
  }, [state, onVerdict])
  if (state.is === 'done')
    return <VerdictNotice result={state.result} kitId={share.kit_id} how={t('share.how')} />
  if (state.is === 'idle' && state.problem !== undefined)
    return <Alert title={t('share.notVerified')} text={state.problem} />
  return (
    <ProgressView
      name={share.scope}
      readBytes={state.is === 'running' ? state.readBytes : read}
      allBytes={allBytes}
      isFocused={false}
      onStop={() => reset(t('verify.stopped'))}
    />
  )
}
