import type { ReactNode } from 'react'
import { Frame } from '../parts/frame.tsx'
import { Link } from '../router.tsx'
import { texts } from '../texts/index.ts'
import './outside.css'

/** The frame of pages that people without an account open by a link. */
export function OutsiderFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { frame: t } = texts
  const navigation = (
    <nav className="top-nav" aria-label={t.navigation}>
      <Link href="/verify">{t.verify}</Link>
      <a href="/docs">{t.docs}</a>
    </nav>
  )
  return (
    <Frame title={title} navigation={navigation}>
      {children}
    </Frame>
  )
}
