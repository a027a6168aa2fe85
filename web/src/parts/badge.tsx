import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

export interface BadgeProps {
  readonly icon: IconName
  readonly look: string
  readonly children: ReactNode
}

/** A status. Differs by word and shape, not only by colour. */
export function Badge({ icon, look, children }: BadgeProps) {
  return (
    <span className={`badge ${look}`}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  )
}
