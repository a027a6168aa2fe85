import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { matchPath } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Loading } from '../parts/blocks.tsx'
import type { TitleName } from './frame.tsx'
import { OverviewPage } from './overview-page.tsx'
import { NotFound } from './problem.tsx'

/** A page that is loaded on first use. Not lazy(): React shows what replaces the page for at least 300 ms. */
function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Later(props) {
    const [Page, setPage] = useState(() => loaded)
    useEffect(() => {
      if (Page !== undefined) return
      load().then(
        (page) => setPage(() => (loaded = page)),
        // Thrown while rendering, where the error boundary shows it.
        (error: unknown) =>
          setPage(() => {
            throw error
          }),
      )
    }, [Page])
    return Page === undefined ? <Loading /> : <Page {...props} />
  }
}

const ListPage = later(async () => (await import('./submission/list-page.tsx')).ListPage)
const NewPage = later(async () => (await import('./new/new-page.tsx')).NewPage)
const SubmissionPage = later(async () => (await import('./submission/submission-page.tsx')).SubmissionPage)
const SharesPage = later(async () => (await import('./shares/shares-page.tsx')).SharesPage)
const RoomPage = later(async () => (await import('./shares/room-page.tsx')).RoomPage)
const RequestsPage = later(async () => (await import('./requests/requests-page.tsx')).RequestsPage)
const NewRequestPage = later(async () => (await import('./requests/new-request-page.tsx')).NewRequestPage)
const RequestPage = later(async () => (await import('./requests/request-page.tsx')).RequestPage)
const ProgramsPage = later(async () => (await import('./programs/programs-page.tsx')).ProgramsPage)
const NewProgramPage = later(async () => (await import('./programs/program-form.tsx')).NewProgramPage)
const EditProgramPage = later(async () => (await import('./programs/program-form.tsx')).EditProgramPage)
const BoardPage = later(async () => (await import('./programs/board-page.tsx')).BoardPage)
const ProfilesPage = later(async () => (await import('./profiles/profiles-page.tsx')).ProfilesPage)
const KeysPage = later(async () => (await import('./keys-page.tsx')).KeysPage)
const WebhooksPage = later(async () => (await import('./webhooks-page.tsx')).WebhooksPage)
const MembersPage = later(async () => (await import('./people/members-page.tsx')).MembersPage)
const AuditPage = later(async () => (await import('./audit-page.tsx')).AuditPage)
const SettingsPage = later(async () => (await import('./settings-page.tsx')).SettingsPage)
const AccountPage = later(async () => (await import('./people/account-page.tsx')).AccountPage)

const ServicePage = later(async () => (await import('./service/service-page.tsx')).ServicePage)
const ServiceWorkspacesPage = later(
  async () => (await import('./service/workspaces-page.tsx')).ServiceWorkspacesPage,
)
const ServiceWorkspacePage = later(
  async () => (await import('./service/workspaces-page.tsx')).ServiceWorkspacePage,
)

export interface Page {
  readonly title: string
  readonly page: ReactNode
}

type Shown = (parameters: URLSearchParams, id: string) => ReactNode

/** Paths of the console, with the names of their titles. A path with an ID comes after the others. */
const PAGES: readonly (readonly [path: string, title: TitleName, Shown])[] = [
  ['/console', 'overview', () => <OverviewPage />],
  ['/console/sign-in', 'overview', () => <OverviewPage />],
  ['/console/submissions', 'submissions', () => <ListPage />],
  ['/console/new', 'new', () => <NewPage />],
  ['/console/shares', 'shares', () => <SharesPage />],
  ['/console/requests', 'requests', () => <RequestsPage />],
  [
    '/console/requests/new',
    'newRequest',
    (asked) => <NewRequestPage key={asked.get('copy')} copyOf={asked.get('copy')} />,
  ],
  ['/console/programs', 'programs', () => <ProgramsPage />],
  ['/console/programs/new', 'newProgram', () => <NewProgramPage />],
  ['/console/profiles', 'profiles', () => <ProfilesPage />],
  ['/console/keys', 'keys', () => <KeysPage />],
  ['/console/webhooks', 'webhooks', () => <WebhooksPage />],
  ['/console/members', 'members', () => <MembersPage />],
  ['/console/audit', 'audit', () => <AuditPage />],
  ['/console/settings', 'settings', () => <SettingsPage />],
  ['/console/account', 'account', () => <AccountPage />],
  ['/console/service', 'service', () => <ServicePage />],
  ['/console/service/workspaces', 'serviceWorkspaces', () => <ServiceWorkspacesPage />],
  [
    '/console/service/workspaces/:id',
    'serviceWorkspace',
    (_, id) => <ServiceWorkspacePage key={id} id={id} />,
  ],
  ['/console/submissions/:id', 'submission', (_, id) => <SubmissionPage key={id} id={id} />],
  ['/console/requests/:id', 'request', (_, id) => <RequestPage key={id} id={id} />],
  ['/console/programs/:id', 'program', (_, id) => <BoardPage key={id} id={id} isMine={false} />],
  ['/console/programs/:id/edit', 'program', (_, id) => <EditProgramPage key={id} id={id} />],
  ['/console/programs/:id/:period', 'program', (_, id) => <BoardPage key={id} id={id} isMine />],
  ['/console/rooms/:id', 'room', (_, id) => <RoomPage key={id} id={id} />],
]

/** The page for a URL of the console. */
export function pageFor({ pathname, searchParams }: URL): Page {
  for (const [path, title, show] of PAGES) {
    const found = matchPath(path, pathname)
    if (found !== undefined)
      return { title: t(`console.titles.${title}`), page: show(searchParams, found['id'] ?? '') }
  }
  return { title: t('notFound.title'), page: <NotFound /> }
}
