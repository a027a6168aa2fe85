import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import { type Look, LOOKS, type Noun } from './looks.ts'

export type StatusProps<Of extends Noun> = {
  readonly of: Of
  readonly is: keyof (typeof LOOKS)[Of]
  /** What the status is called. */
  readonly children: ReactNode
}

/** A status, as word, shape and colour. */
export function Status<Of extends Noun>({ of, is, children }: StatusProps<Of>) {
  const { icon, tone }: Look = LOOKS[of][is] as Look
  return (
    <span className={`status ${tone}`}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  )
}
