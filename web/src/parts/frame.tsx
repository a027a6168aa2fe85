import { type Language, LANGUAGES } from '@kitseal/kit/internal'
import { type ReactNode, useEffect } from 'react'
import { changeLanguage, language } from '../core/language.ts'
import { Link, useLocation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Dialogs } from './ask.tsx'
import { Icon, Seal } from './icons.tsx'

export interface FrameProps {
  readonly title: string
  /** Shown in the header. */
  readonly navigation?: ReactNode
  readonly aside?: ReactNode
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** The header, skip link, dialogs and boundary of every page. */
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
      <Dialogs />
    </div>
  )
}

/** The languages by their own names. Where there is little room, only its icon is seen. */
function LanguageMenu() {
  return (
    <label className="language" title={t('frame.language')}>
      <Icon name="globe" />
      <select
        value={language}
        aria-label={t('frame.language')}
        onChange={({ target }) => changeLanguage(target.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

export interface PublicFrameProps extends Pick<FrameProps, 'title' | 'children'> {
  /** For people who have no account, and opened a link. */
  readonly isOutside?: boolean
}

/** The frame of pages for which nobody signs in. */
export function PublicFrame({ isOutside = false, ...props }: PublicFrameProps) {
  const { pathname } = useLocation()
  const links = [
    ['/verify', t('frame.verify')],
    ['/docs', t('frame.docs')],
    ...(isOutside ? [] : [['/console', t('frame.console')] as const]),
  ] as const
  const navigation = (
    <nav className="top-nav" aria-label={t('frame.navigation')}>
      {links.map(([href, name]) => (
        <Link key={href} href={href} aria-current={pathname.startsWith(href) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
  return <Frame {...props} navigation={navigation} />
}
