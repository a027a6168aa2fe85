import type { EvidenceRequest } from '@kitseal/client'
import { Badge, type BadgeProps } from '../../parts/badge.tsx'
import { t } from '../../core/texts.ts'

type Status = EvidenceRequest['status']

const LOOKS: Readonly<Record<Status, Pick<BadgeProps, 'icon' | 'look'>>> = {
  open: { icon: 'clock', look: 'draft' },
  submitted: { icon: 'inbox', look: 'running' },
  accepted: { icon: 'check', look: 'passed' },
  closed: { icon: 'cross', look: 'expired' },
}

export function RequestStatus({ status }: { readonly status: Status }) {
  return <Badge {...LOOKS[status]}>{t(`console.requests.statuses.${status}`)}</Badge>
}
