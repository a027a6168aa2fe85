import { type ReactNode, useEffect } from 'react'
import { Link } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Seal } from './icons.tsx'
import { LanguageMenu } from './language-menu.tsx'

export interface FrameProps {
  readonly title: string
  /** Shown in the header. */
  readonly navigation?: ReactNode
  readonly aside?: ReactNode
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** The header, skip link and boundary of every page. */
export function Frame({ title, navigation, aside, isWide = false, children }: FrameProps) {
  useEffect(() => {
    document.title = title === '' ? t('frame.name') : t('frame.documentTitle', { title })
  }, [title])
  return (
    <div className={`frame ${isWide ? 'wide' : ''}`}>
      <a className="skip" href="#main">
        {t('frame.skip')}
      </a>
      <header className="top">
        <div className="top-inner">
          <Link href="/" className="brand" aria-label={t('frame.home')}>
            <Seal />
            <span>{t('frame.name')}</span>
          </Link>
          {navigation}
          <LanguageMenu />
        </div>
      </header>
      <div className="middle">
        {aside}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <footer className="boundary">
        <p>{t('kit.boundary')}</p>
      </footer>
    </div>
  )
}
