import type { RevocationList } from '@kitseal/client'
import { Button } from '@mantine/core'
import { Notice } from '../../parts/blocks.tsx'
import { TimeText } from '../../parts/time.tsx'
import { revokedHeading } from '../../revoked-heading.ts'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.reissue.banner
  return (
    <Notice tone="fail" title={<TimeText text={(day) => t.title(kits, day)} at={revoked_at} as="day" />}>
      <p>{t.text(revokedHeading(revoked_at))}</p>
      {compromised_since !== null && (
        <p>
          <TimeText text={t.compromised} at={compromised_since} as="day" />
        </p>
      )}
      {all.error !== null && <Problem error={all.error} />}
      <Button loading={all.isPending} onClick={() => all.mutate(kid)}>
        {t.action(kits)}
      </Button>
      <p className="quiet" role="status">
        {all.isPending ? t.progress(all.done) : ''}
      </p>
    </Notice>
  )
}
