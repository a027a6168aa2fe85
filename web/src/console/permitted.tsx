import type { ReactNode } from 'react'
import { Heading, Notice } from '../parts/blocks.tsx'
import { type Permission, useAllowed } from './session.tsx'

export interface PermittedProps {
  readonly to: Permission
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

/** A page for members with the right role. The others read why they do not see it. */
export function Permitted({ to, title, lead, children }: PermittedProps) {
  const allowed = useAllowed(to)
  if (allowed.is) return children
  return (
    <>
      <Heading title={title} lead={lead} />
      <Notice tone="info">{allowed.why}</Notice>
    </>
  )
}
