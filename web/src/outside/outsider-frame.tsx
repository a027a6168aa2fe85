import type { ReactNode } from 'react'
import { PublicFrame } from '../parts/public-frame.tsx'
import './outside.css'

/** The frame of pages that people without an account open by a link. */
export function OutsiderFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <PublicFrame title={title} isOutside>
      {children}
    </PublicFrame>
  )
}
