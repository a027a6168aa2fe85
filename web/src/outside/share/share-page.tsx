import { ApiError } from '@kitseal/client'
import { kitVerdict, type Result } from '@kitseal/kit/in-browser'
import { errorText, sentences } from '@kitseal/kit/in-browser/words'
import { keyText, type VerificationReport } from '@kitseal/kit/internal'
import { useCallback, useEffect, useMemo } from 'react'
import { fetchJson, sendJson } from '../../core/fetch-json.ts'
import { nameText, sizeText } from '../../core/readable.ts'
import { rich, t } from '../../core/texts.ts'
import { useLoaded } from '../../core/use-loaded.ts'
import { FormOf } from '../../parts/ask.tsx'
import { Heading, Notice, Loading } from '../../parts/blocks.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { Time } from '../../parts/time.tsx'
import { publishedKeys, isSmallEnough, servedKit, useVerification } from '../../verify/use-verification.ts'
import { VerifyAll } from '../../verify/verify-all.tsx'
import { AdviceLink, KitVerdict } from '../../verify/result-view.tsx'
import { linkBase, LinkProblem } from '../link.tsx'
import { KitDetails } from './kit-details.tsx'
import { RoomPage } from './room/room-page.tsx'
import { servedFile, type SharedKit, type SharedRoom } from './shared.ts'

/** `/s/TOKEN`: a kit, some of its files, or a room with several kits, for someone without an account. */
export default function SharePage() {
  const base = linkBase()
  const load = useCallback(() => fetchJson<SharedKit | SharedRoom>(`${base}/share.json`), [base])
  const { value: share, error, reload } = useLoaded(load)
  if (share !== undefined) {
    if ('kits' in share) return <RoomPage base={base} room={share} />
    return share.shared === 'kit' ? (
      <WholeKit base={base} share={share} />
    ) : (
      <SingleFiles base={base} share={share} />
    )
  }
  if (error === undefined)
    return (
      <PublicFrame isOutside title={t('share.title')}>
        <Loading />
      </PublicFrame>
    )
  if (error instanceof ApiError && error.code === 'share_password_required')
    return <PasswordForm base={base} onUnlocked={() => void reload()} />
  return <LinkProblem error={error} onRetry={() => void reload()} />
}

interface ShareProps {
  readonly base: string
  readonly share: SharedKit
}

function WholeKit({ base, share }: ShareProps) {
  const isAvailable = share.status === 'available'
  const sizeBytes = share.kit?.size_bytes ?? 0
  const { kit_id: id } = share
  const all = useMemo(
    () => (isAvailable ? [servedKit(id, `${base}/view/kit.zip`, sizeBytes)] : []),
    [base, id, isAvailable, sizeBytes],
  )
  const isAutomatic = isSmallEnough(sizeBytes)
  const verification = useVerification<Result>(all, isAutomatic)
  const [kit] = all
  const state = verification.states.get(id)
  const report = state?.is === 'done' ? state.outcome.report : undefined
  return (
    <PublicFrame isOutside title={share.scope}>
      <Head base={base} share={share} />
      {kit !== undefined && (state !== undefined || isAutomatic) && (
        <KitVerdict
          kit={kit}
          verification={verification}
          action={t('share.verifyNow', { size: sizeText(sizeBytes) })}
        />
      )}
      {kit !== undefined && state === undefined && !isAutomatic && (
        <NotYet sizeBytes={sizeBytes} onStart={verification.start} />
      )}
      <KitDetails
        base={base}
        share={share}
        isVerified={report?.verdict === 'verified'}
        sealed={report?.provenance}
      />
    </PublicFrame>
  )
}

/** Single files, each verified with its own proof. */
function SingleFiles({ base, share }: ShareProps) {
  const { files, status } = share
  const all = useMemo(
    () => (status === 'available' ? files.map((file) => servedFile(base, file)) : []),
    [base, files, status],
  )
  const isAutomatic = isSmallEnough(files.reduce((sum, file) => sum + file.size_bytes, 0))
  const verification = useVerification<VerificationReport>(all, isAutomatic)
  const site = useLoaded(publishedKeys).value?.keys
  const reports = [...verification.states.values()].flatMap((state) =>
    state.is === 'done' ? state.outcome : [],
  )
  const bad = reports.find(({ status: is }) => is !== 'PASS')
  const verdict = bad && kitVerdict({ report: bad, receipt: share, site, kind: 'zip' })
  const isVerified = reports.length === files.length && bad === undefined
  const key = reports[0] === undefined ? '' : keyText(reports[0].signer, t)
  return (
    <PublicFrame isOutside title={share.scope}>
      <Head base={base} share={share} />
      {all.length > 0 && (
        <VerifyAll
          all={all}
          verification={verification}
          faultOf={({ status: is, errors, error_messages }) =>
            is === 'PASS' ? undefined : errorText(errors[0] ?? '', error_messages?.[0])
          }
          runningText={(done) => t('share.checkingFiles', { done, all: all.length })}
          passed={{
            title: t('share.filesVerified', { count: all.length }),
            text: t('share.filesVerifiedText', { key }),
          }}
          failedTitle={() => verdict?.heading ?? t('verify.notVerified')}
          failedTone={verdict?.tone ?? 'fail'}
          advice={
            verdict !== undefined && (
              <p>
                {verdict.sentence} <AdviceLink verdict={verdict} />
              </p>
            )
          }
          notYetTitle={() => t('share.notYet')}
        />
      )}
      <KitDetails base={base} share={share} isVerified={isVerified} sealed={undefined} />
    </PublicFrame>
  )
}

/** Verifying downloads everything, so much is verified only on request. */
function NotYet({ sizeBytes, onStart }: { readonly sizeBytes: number; onStart(): void }) {
  return (
    <Notice tone="info" title={t('share.notYet')}>
      <p>{t('share.large')}</p>
      <Button onClick={onStart}>{t('share.verifyNow', { size: sizeText(sizeBytes) })}</Button>
    </Notice>
  )
}

/** What is shared, by whom, and what is the matter with it. */
function Head({ base, share }: ShareProps) {
  // The workspace that has the kit shares it, also if it only asked for the files.
  const who = (share.supplier ?? share.requested_by)?.name
  const isAvailable = share.status === 'available'
  return (
    <>
      <Heading
        title={nameText(share.scope)}
        lead={sentences([
          ...(who === undefined ? [] : [t('share.sharedBy', { who: nameText(who) })]),
          ...(isAvailable ? [t('share.verifies')] : []),
        ])}
        actions={
          share.kit !== null &&
          isAvailable && (
            <LinkButton look="main" icon="download" href={`${base}/${share.kit.download}`} download>
              {t('share.downloadKit', { size: sizeText(share.kit.size_bytes) })}
            </LinkButton>
          )
        }
      />
      {share.note !== null && <blockquote className="notice info">{nameText(share.note)}</blockquote>}
      {share.status === 'erased' && (
        <Notice
          tone="warn"
          title={rich('share.erased', { day: <Time at={share.erased_at ?? ''} as="day" /> })}
        >
          {t('share.erasedText')}
        </Notice>
      )}
      {share.status === 'exhausted' && (
        <Notice tone="warn" title={t('outside.titles.exhausted')}>
          {t('share.exhausted')}
        </Notice>
      )}
      {share.signing_key.status === 'revoked' && !isAvailable && (
        <Notice
          tone="fail"
          title={rich('share.keyRevoked', { day: <Time at={share.signing_key.revoked_at ?? ''} as="day" /> })}
        >
          {t('share.keyRevokedText')}
        </Notice>
      )}
    </>
  )
}

/** Asks for the password of a share. */
function PasswordForm({ base, onUnlocked }: { readonly base: string; onUnlocked(): void }) {
  useEffect(() => document.querySelector<HTMLElement>('.narrow input')?.focus(), [])
  return (
    <PublicFrame isOutside title={t('share.password.title')}>
      <Heading title={t('share.password.title')} lead={t('share.password.lead')} />
      <div className="narrow">
        <FormOf
          question={{
            texts: 'share.password',
            action: t('share.password.open'),
            initial: { password: '' },
            fields: () => [{ name: 'password', is: 'password', autoComplete: 'off', isRequired: true }],
            run: (values) => sendJson('POST', `${base}/unlock`, values),
          }}
          onDone={onUnlocked}
        />
      </div>
    </PublicFrame>
  )
}
