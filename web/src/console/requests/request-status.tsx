import type { EvidenceRequest } from '@kitseal/client'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { texts } from '../../texts/index.ts'

type Status = EvidenceRequest['status']

const LOOKS: Readonly<Record<Status, readonly [IconName, string]>> = {
  open: ['clock', 'draft'],
  submitted: ['inbox', 'running'],
  accepted: ['check', 'passed'],
  closed: ['cross', 'expired'],
}

/** Differs by word and shape, not only by colour. */
export function RequestStatus({ status }: { readonly status: Status }) {
  const [icon, look] = LOOKS[status]
  return (
    <span className={`badge ${look}`}>
      <Icon name={icon} size={14} />
      {texts.console.requests.statuses[status]}
    </span>
  )
}
