import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { ApiError } from '@kitseal/client'
import { type ProvenanceReport } from '@kitseal/kit/internal'
import { sentences } from '@kitseal/kit/in-browser/words'
import { fetchJson } from '../../core/fetch-json.ts'
import { linkBase } from '../link-base.ts'
import { LinkProblem } from '../link-problem.tsx'
import { Time } from '../../parts/time.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { Heading, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { rich, t } from '../../core/texts.ts'
import { useLoaded } from '../../core/use-loaded.ts'
import '../../styles/verify.css'
import { KitDetails } from './kit-details.tsx'
import { PasswordForm } from './password-form.tsx'
import { RoomPage } from './room/room-page.tsx'
import type { SharedRoom } from './room/shared-room.ts'
import type { SharedKit } from './shared-kit.ts'
import { ShareVerdict } from './share-verdict.tsx'

/** `/s/TOKEN`: a kit, some of its files, or a room with several kits, for someone without an account. */
export function SharePage() {
  const base = linkBase()
  const load = useCallback(() => fetchJson<SharedKit | SharedRoom>(`${base}/share.json`), [base])
  const { value: share, error, reload } = useLoaded(load)
  if (share !== undefined)
    return 'kits' in share ? <RoomPage base={base} room={share} /> : <OpenShare base={base} share={share} />
  if (error === undefined)
    return (
      <PublicFrame isOutside title={t('share.title')}>
        <p className="quiet loading">{t('common.loading')}…</p>
      </PublicFrame>
    )
  if (error instanceof ApiError && error.code === 'share_password_required')
    return <PasswordForm base={base} onUnlocked={reload} />
  return <LinkProblem error={error} />
}

interface OpenShareProps {
  readonly base: string
  readonly share: SharedKit
}

function OpenShare({ base, share }: OpenShareProps) {
  const [isVerified, setIsVerified] = useState(false)
  const [sealed, setSealed] = useState<ProvenanceReport>()
  const onVerdict = useCallback((is: boolean, provenance?: ProvenanceReport) => {
    setIsVerified(is)
    setSealed(provenance)
  }, [])
  // The workspace that has the kit shares it, also if it only asked for the files.
  const who = (share.supplier ?? share.requested_by)?.name
  const isAvailable = share.status === 'available'
  return (
    <PublicFrame isOutside title={share.scope}>
      <Heading
        title={nameText(share.scope)}
        lead={sentences([
          ...(who === undefined ? [] : [t('share.sharedBy', { who: nameText(who) })]),
          ...(isAvailable ? [t('share.verifies')] : []),
        ])}
        actions={
          share.kit !== null &&
          isAvailable && (
            <Button
              component="a"
              href={`${base}/${share.kit.download}`}
              download
              leftSection={<Icon name="download" />}
            >
              {t('share.downloadKit', { size: sizeText(share.kit.size_bytes) })}
            </Button>
          )
        }
      />
      {share.note !== null && <blockquote className="outside-note">{nameText(share.note)}</blockquote>}
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
      {share.signing_key.status === 'revoked' && share.status !== 'available' && (
        <Notice
          tone="fail"
          title={rich('share.keyRevoked', { day: <Time at={share.signing_key.revoked_at ?? ''} as="day" /> })}
        >
          {t('share.keyRevokedText')}
        </Notice>
      )}
      {isAvailable && <ShareVerdict base={base} share={share} onVerdict={onVerdict} />}
      <KitDetails base={base} share={share} isVerified={isVerified} sealed={sealed} />
    </PublicFrame>
  )
}
