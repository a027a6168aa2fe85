import type { Submission } from '@kitseal/client'
import { Icon, type IconName } from '../parts/icons.tsx'
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
    <span className="badge failed">
      <Icon name="cross" size={14} />
      {revokedHeading(revokedAt)}
    </span>
  )
}

/** Differs by word and shape, not only by colour. */
export function StageBadge({ stage }: { readonly stage: Stage }) {
  return (
    <span className={`badge ${stage}`}>
      <Icon name={ICONS[stage]} size={14} />
      {texts.console.stages[stage]}
    </span>
  )
}
