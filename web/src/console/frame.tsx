import type { RevocationList } from '@kitseal/client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type consoleTexts from '../../../texts/en/console.json'
import { revokedHeading } from './submission/stage-status.tsx'
import { Link, navigate, useLocation } from '../core/router.tsx'
import { rich, t } from '../core/texts.ts'
import { Notice, Problem } from '../parts/blocks.tsx'
import { IconButton } from '../parts/button.tsx'
import { Menu } from './blocks.tsx'
import { Frame } from '../parts/frame.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { Time } from '../parts/time.tsx'
import { api } from './client.ts'
import { queries, useLiveQuery } from './queries.tsx'
import { allows, ME, type Permission, roleText, useAllowed, useMe, useSignOut } from './session.tsx'

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
  /** Only for members who may. */
  readonly to?: Permission
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
  { href: '/console/keys', icon: 'key', name: 'keys', to: 'keys' },
  { href: '/console/webhooks', icon: 'webhook', name: 'webhooks', to: 'webhooks' },
  { href: '/console/audit', icon: 'list', name: 'audit' },
  { href: '/console/settings', icon: 'gear', name: 'settings' },
  { href: '/console/account', icon: 'person', name: 'account' },
]

/** For operators. */
const OPERATE: readonly Place[] = [
  { href: '/console/service', icon: 'shield', name: 'service' },
  { href: '/console/service/workspaces', icon: 'people', name: 'serviceWorkspaces' },
]

/** The console's header, navigation and banners. */
export function ConsoleFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { pathname } = useLocation()
  const { log_frozen } = useMe()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => setIsOpen(false), [pathname])
  const header = (
    <>
      <WorkspaceMenu />
      <a href="/verify" className="top-link">
        {t('frame.verify')}
      </a>
      <span className="menu-button">
        <IconButton
          icon={isOpen ? 'cross' : 'menu'}
          label={t('console.menu')}
          aria-expanded={isOpen}
          aria-controls="places"
          onClick={() => setIsOpen(!isOpen)}
        />
      </span>
    </>
  )
  return (
    <Frame
      title={`${title} · ${t('console.title')}`}
      navigation={header}
      isWide
      aside={<Places isOpen={isOpen} />}
    >
      {log_frozen !== null && (
        <Notice tone="warn" title={t('console.frozen.title')}>
          {t('console.frozen.text', { reason: log_frozen.reason })}
        </Notice>
      )}
      <Revocations />
      {children}
    </Frame>
  )
}

function Places({ isOpen }: { readonly isOpen: boolean }) {
  const { member, is_operator } = useMe()
  const signOut = useSignOut()
  return (
    <nav id="places" className={`side ${isOpen ? 'open' : ''}`} aria-label={t('console.places')}>
      <div className="side-places">
        <PlaceList places={WORK} />
        <h2>{t('console.manage')}</h2>
        <PlaceList places={MANAGE} />
        {is_operator && (
          <>
            <h2>{t('console.service.operate')}</h2>
            <PlaceList places={OPERATE} />
          </>
        )}
      </div>
      <div>
        <p className="side-email" title={member.email}>
          {member.name ?? member.email}
        </p>
        <p className="quiet">{roleText(member.role)}</p>
        <button type="button" className="bare" onClick={() => void signOut()}>
          <Icon name="out" />
          {t('console.signOut')}
        </button>
      </div>
    </nav>
  )
}

function PlaceList({ places }: { readonly places: readonly Place[] }) {
  const { pathname } = useLocation()
  const me = useMe()
  return (
    <ul>
      {places
        .filter(({ to }) => to === undefined || allows(me, to))
        .map(({ href, icon, name }) => (
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

/** The name of the workspace. Opens a menu of the others that the session can switch to. */
export function WorkspaceMenu() {
  const { workspace, member, workspaces } = useMe()
  const switching = useMutation({
    mutationFn: (workspaceId: string) => api.switchWorkspace(workspaceId),
    onSuccess: (switched) => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] })
      queries.setQueryData(ME, switched)
    },
  })
  /** The overview exists in every workspace. Leaving the page asks first if files are chosen. */
  const start = (workspaceId: string): void => {
    navigate('/console')
    if (location.pathname === '/console') switching.mutate(workspaceId)
  }
  return (
    <>
      <Menu
        label={t('console.workspaces.button', { name: workspace.name })}
        items={[
          {
            text: workspace.name,
            hint: roleText(member.role),
            isCurrent: true,
            run: () => navigate('/console'),
          },
          ...workspaces
            .filter(({ workspace_id }) => workspace_id !== workspace.workspace_id)
            .map(({ workspace_id, name, role }) => ({
              text: name,
              hint: roleText(role),
              run: () => start(workspace_id),
            })),
          { text: t('console.workspaces.settings'), run: () => navigate('/console/settings') },
        ]}
      >
        <span className="workspace-name">{workspace.name}</span>
      </Menu>
      <Problem error={switching.error} />
    </>
  )
}

/** Tells owners about kits that no longer verify, because their signing key was revoked. */
function Revocations() {
  return useAllowed('reissue').is ? <Banners /> : null
}

function Banners() {
  const { data } = useLiveQuery(['revocations'], api.getRevocations)
  return data?.data.map((key) => <Revocation key={key.kid} revocation={key} />)
}

interface RevocationProps {
  readonly revocation: RevocationList['data'][number]
}

function Revocation({ revocation: { revoked_at, compromised_since, kits } }: RevocationProps) {
  return (
    <Notice
      tone="fail"
      title={rich('console.reissue.banner.title', { kits, date: <Time at={revoked_at} as="day" /> })}
    >
      <p>{t('console.reissue.banner.text', { heading: revokedHeading(revoked_at) })}</p>
      {compromised_since !== null && (
        <p>
          {rich('console.reissue.banner.compromised', { date: <Time at={compromised_since} as="day" /> })}
        </p>
      )}
      <p>
        {t('console.reissue.banner.all')} <code>kitseal reissue</code>
      </p>
    </Notice>
  )
}
