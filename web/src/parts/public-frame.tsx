import type { ReactNode } from 'react'
import { Link, useLocation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Frame } from './frame.tsx'

const current = (here: boolean): 'page' | undefined => (here ? 'page' : undefined)

export interface PublicFrameProps {
  readonly title: string
  /** For people who have no account. */
  readonly isOutside?: boolean
  readonly children: ReactNode
}

/** The frame of the public pages. */
export function PublicFrame({ title, isOutside = false, children }: PublicFrameProps) {
  const { pathname } = useLocation()
  const navigation = (
    <nav className="top-nav" aria-label={t('frame.navigation')}>
      <Link href="/verify" aria-current={current(pathname.startsWith('/verify'))}>
        {t('frame.verify')}
      </Link>
      <a href="/docs">{t('frame.docs')}</a>
      {!isOutside && (
        <Link href="/console" aria-current={current(pathname.startsWith('/console'))}>
          {t('frame.console')}
        </Link>
      )}
    </nav>
  )
  return (
    <Frame title={title} navigation={navigation}>
      {children}
    </Frame>
  )
}
