import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Frame } from '../parts/frame.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { Link, useLocation } from '../core/router.tsx'
import type consoleTexts from '../../../texts/en/console.json'
import { t } from '../core/texts.ts'
import { FrozenBanner } from './frozen-banner.tsx'
import { useMe, useSignOut } from './session.tsx'
import { WorkspaceMenu } from './workspaces/workspace-menu.tsx'

/** The pages of the console. */
export type TitleName = keyof typeof consoleTexts extends infer Key
  ? Key extends `console.titles.${infer Name}`
    ? Name
    : never
  : never

interface Place {
  readonly href: string
  readonly icon: IconName
  readonly name: TitleName
}

/** What people do every day. */
const WORK: readonly Place[] = [
  { href: '/console', icon: 'home', name: 'overview' },
  { href: '/console/submissions', icon: 'inbox', name: 'submissions' },
  { href: '/console/programs', icon: 'list', name: 'programs' },
  { href: '/console/requests', icon: 'folder', name: 'requests' },
  { href: '/console/shares', icon: 'share', name: 'shares' },
  { href: '/console/profiles', icon: 'check', name: 'profiles' },
]

const MANAGE: readonly Place[] = [
  { href: '/console/members', icon: 'people', name: 'members' },
  { href: '/console/keys', icon: 'key', name: 'keys' },
  { href: '/console/webhooks', icon: 'webhook', name: 'webhooks' },
  { href: '/console/audit', icon: 'list', name: 'audit' },
  { href: '/console/settings', icon: 'gear', name: 'settings' },
  { href: '/console/account', icon: 'person', name: 'account' },
]

/** For operators. */
const OPERATE: readonly Place[] = [
  { href: '/console/service', icon: 'shield', name: 'service' },
  { href: '/console/service/workspaces', icon: 'people', name: 'serviceWorkspaces' },
]

/** The console's header and navigation. */
export function ConsoleFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { pathname } = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => setIsOpen(false), [pathname])
  useEffect(() => {
    if (!isOpen) return undefined
    const leave = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return
      setIsOpen(false)
      button.current?.focus()
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [isOpen])
  const menu = (
    <>
      <WorkspaceMenu />
      <a href="/verify" className="top-link">
        {t('frame.verify')}
      </a>
      <button
        ref={button}
        type="button"
        className="icon-button menu-button"
        aria-expanded={isOpen}
        aria-controls="places"
        aria-label={t('console.menu')}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'cross' : 'menu'} />
      </button>
    </>
  )
  return (
    <Frame
      title={`${title} · ${t('console.title')}`}
      navigation={menu}
      isWide
      aside={<Places isOpen={isOpen} />}
    >
      <FrozenBanner />
      {children}
    </Frame>
  )
}

function Places({ isOpen }: { readonly isOpen: boolean }) {
  const { pathname } = useLocation()
  const { member, is_operator } = useMe()
  const signOut = useSignOut()
  return (
    <nav id="places" className={`side ${isOpen ? 'open' : ''}`} aria-label={t('console.places')}>
      <div>
        <PlaceList places={WORK} pathname={pathname} />
        <h2 className="side-title">{t('console.manage')}</h2>
        <PlaceList places={MANAGE} pathname={pathname} />
        {is_operator && (
          <>
            <h2 className="side-title">{t('console.service.operate')}</h2>
            <PlaceList places={OPERATE} pathname={pathname} />
          </>
        )}
      </div>
      <div className="side-foot">
        <p className="side-email" title={member.email}>
          {member.name ?? member.email}
        </p>
        <p className="quiet">{t(`console.roles.names.${member.role}`)}</p>
        <button type="button" className="side-out" onClick={() => void signOut()}>
          <Icon name="out" />
          {t('console.signOut')}
        </button>
      </div>
    </nav>
  )
}

function PlaceList({ places, pathname }: { readonly places: readonly Place[]; readonly pathname: string }) {
  return (
    <ul>
      {places.map(({ href, icon, name }) => (
        <li key={href}>
          <Link href={href} aria-current={isHere(href, pathname) ? 'page' : undefined}>
            <Icon name={icon} />
            {t(`console.titles.${name}`)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function isHere(href: string, pathname: string): boolean {
  if (href === '/console/service') return pathname === href
  if (href === '/console') return /^\/console(\/|\/sign-in)?$/.test(pathname)
  return pathname.startsWith(href) || (href === '/console/submissions' && pathname === '/console/new')
}
