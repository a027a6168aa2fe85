import type { RevocationList } from '@kitseal/client'
import { Button } from '@mantine/core'
import { Notice } from '../../parts/blocks.tsx'
import { Time } from '../../parts/time.tsx'
import { revokedHeading } from '../../core/revoked-heading.ts'
import { rich, t } from '../../core/texts.ts'
import { useLiveQuery } from '../live-query.tsx'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { api } from '../client.ts'
import { REVOCATIONS, useReissueAll } from './reissue.ts'

/** Tells owners about kits that no longer verify, because their signing key was revoked. */
export function RevocationBanner() {
  return useAllowed('reissue').is ? <Banners /> : null
}

function Banners() {
  const { data } = useLiveQuery(REVOCATIONS, api.getRevocations)
  return data?.data.map((key) => <Banner key={key.kid} revocation={key} />)
}

function Banner({
  revocation: { kid, revoked_at, compromised_since, kits },
}: {
  readonly revocation: RevocationList['data'][number]
}) {
  const all = useReissueAll()
  return (
    <Notice
      tone="fail"
      title={rich('console.reissue.banner.title', { kits, date: <Time at={revoked_at} as="day" /> })}
    >
      <p>{t('console.reissue.banner.text', { heading: revokedHeading(revoked_at) })}</p>
      {compromised_since !== null && (
        <p>
          {rich('console.reissue.banner.compromised', { date: <Time at={compromised_since} as="day" /> })}
        </p>
      )}
      {all.error !== null && <Problem error={all.error} />}
      <Button loading={all.isPending} onClick={() => all.mutate(kid)}>
        {t('console.reissue.banner.action', { kits })}
      </Button>
      <p className="quiet" role="status">
        {all.isPending ? t('console.reissue.banner.progress', { done: all.done }) : ''}
      </p>
    </Notice>
  )
}
