import { lazy, type ReactNode } from 'react'
import { matchPath } from '../router.tsx'
import { texts } from '../texts/index.ts'
import { OverviewPage } from './overview/overview-page.tsx'
import { NotFound } from './not-found.tsx'

// Loaded on first use.
const ListPage = lazy(async () => ({ default: (await import('./submissions/list-page.tsx')).ListPage }))
const NewPage = lazy(async () => ({ default: (await import('./new/new-page.tsx')).NewPage }))
const SubmissionPage = lazy(async () => ({
  default: (await import('./submission/submission-page.tsx')).SubmissionPage,
}))
const ComparePage = lazy(async () => ({ default: (await import('./compare/compare-page.tsx')).ComparePage }))
const SharesPage = lazy(async () => ({ default: (await import('./shares/shares-page.tsx')).SharesPage }))
const RequestsPage = lazy(async () => ({
  default: (await import('./requests/requests-page.tsx')).RequestsPage,
}))
const NewRequestPage = lazy(async () => ({
  default: (await import('./requests/new-request-page.tsx')).NewRequestPage,
}))
const RequestPage = lazy(async () => ({
  default: (await import('./requests/request-page.tsx')).RequestPage,
}))
const SeriesPage = lazy(async () => ({ default: (await import('./series/series-page.tsx')).SeriesPage }))
const ProfilesPage = lazy(async () => ({
  default: (await import('./profiles/profiles-page.tsx')).ProfilesPage,
}))
const KeysPage = lazy(async () => ({ default: (await import('./keys/keys-page.tsx')).KeysPage }))
const WebhooksPage = lazy(async () => ({
  default: (await import('./webhooks/webhooks-page.tsx')).WebhooksPage,
}))
const WebhookPage = lazy(async () => ({ default: (await import('./webhooks/webhook-page.tsx')).WebhookPage }))
const CreditsPage = lazy(async () => ({ default: (await import('./credits/credits-page.tsx')).CreditsPage }))
const MembersPage = lazy(async () => ({ default: (await import('./members/members-page.tsx')).MembersPage }))
const AuditPage = lazy(async () => ({ default: (await import('./audit/audit-page.tsx')).AuditPage }))
const SettingsPage = lazy(async () => ({
  default: (await import('./settings/settings-page.tsx')).SettingsPage,
}))
const AccountPage = lazy(async () => ({ default: (await import('./account/account-page.tsx')).AccountPage }))

export interface Page {
  readonly title: string
  readonly page: ReactNode
}

/** The page for a URL of the console. */
export function pageFor({ pathname, searchParams }: URL): Page {
  const t = texts.console.titles
  const submission = matchPath('/console/submissions/:id', pathname)
  if (submission?.['id'] !== undefined)
    return { title: t.submission, page: <SubmissionPage key={submission['id']} id={submission['id']} /> }
  const request = matchPath('/console/requests/:id', pathname)
  if (request?.['id'] !== undefined && request['id'] !== 'new')
    return { title: t.request, page: <RequestPage key={request['id']} id={request['id']} /> }
  const webhook = matchPath('/console/webhooks/:id', pathname)
  if (webhook?.['id'] !== undefined)
    return { title: t.webhook, page: <WebhookPage key={webhook['id']} id={webhook['id']} /> }
  switch (pathname.replace(/\/$/, '')) {
    case '/console':
    case '/console/sign-in':
      return { title: t.overview, page: <OverviewPage /> }
    case '/console/submissions':
      return { title: t.submissions, page: <ListPage /> }
    case '/console/new':
      return { title: t.new, page: <NewPage /> }
    case '/console/compare':
      return {
        title: t.compare,
        page: <ComparePage from={searchParams.get('from')} to={searchParams.get('to')} />,
      }
    case '/console/shares':
      return { title: t.shares, page: <SharesPage /> }
    case '/console/requests':
      return { title: t.requests, page: <RequestsPage /> }
    case '/console/requests/new':
      return { title: texts.console.requests.new, page: <NewRequestPage copyOf={searchParams.get('copy')} /> }
    case '/console/series':
      return { title: t.series, page: <SeriesPage name={searchParams.get('name')} /> }
    case '/console/profiles':
      return { title: t.profiles, page: <ProfilesPage /> }
    case '/console/keys':
      return { title: t.keys, page: <KeysPage /> }
    case '/console/webhooks':
      return { title: t.webhooks, page: <WebhooksPage /> }
    case '/console/credits':
      return { title: t.credits, page: <CreditsPage /> }
    case '/console/members':
      return { title: t.members, page: <MembersPage /> }
    case '/console/audit':
      return { title: t.audit, page: <AuditPage /> }
    case '/console/settings':
      return { title: t.settings, page: <SettingsPage /> }
    case '/console/account':
      return { title: t.account, page: <AccountPage /> }
    default:
      return { title: texts.notFound.title, page: <NotFound /> }
  }
}
