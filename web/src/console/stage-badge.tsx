import type { Submission } from '@kitseal/client'
import { Badge } from '../parts/badge.tsx'
import type { IconName } from '../parts/icons.tsx'
import { revokedHeading } from '../revoked-heading.ts'
import { texts } from '../texts/index.ts'

type Stage = Submission['stage']

const ICONS: Readonly<Record<Stage, IconName>> = {
  draft: 'upload',
  queued: 'clock',
  running: 'clock',
  passed: 'check',
  failed: 'cross',
  expired: 'clock',
}

/** A kit whose signing key was revoked. */
export function RevokedBadge({ revokedAt }: { readonly revokedAt: string }) {
  return (
    <Badge icon="cross" look="failed">
      {revokedHeading(revokedAt)}
    </Badge>
  )
}

export function StageBadge({ stage }: { readonly stage: Stage }) {
  return (
    <Badge icon={ICONS[stage]} look={stage}>
      {texts.console.stages[stage]}
    </Badge>
  )
}
