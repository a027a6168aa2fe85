import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { matchPath } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Loading } from '../parts/blocks.tsx'
import type { TitleName } from './frame.tsx'
import OverviewPage from './overview-page.tsx'
import { NotFound } from './blocks.tsx'
import { type Permission, Permitted } from './session.tsx'

/** What the URL says. */
interface PageProps {
  readonly id: string
  readonly period: string | undefined
  /** Of which request a new one is a copy. */
  readonly copyOf: string | null
}

type PageView = ComponentType<PageProps>

/** A page that is loaded on first use. Not lazy(): React shows what replaces the page for at least 300 ms. */
function later(load: () => Promise<{ readonly default: PageView }>): PageView {
  let loaded: PageView | undefined
  return function Later(props) {
    const [View, setView] = useState(() => loaded)
    useEffect(() => {
      if (View !== undefined) return
      load().then(
        (module) => setView(() => (loaded = module.default)),
        // Thrown while rendering, where the error boundary shows it.
        (error: unknown) =>
          setView(() => {
            throw error
          }),
      )
    }, [View])
    return View === undefined ? <Loading /> : <View {...props} />
  }
}

const Board = later(() => import('./programs/board-page.tsx'))
const Program = later(() => import('./programs/program-form.tsx'))
const Workspaces = later(() => import('./service/workspaces-page.tsx'))
const Service = later(() => import('./service/service-page.tsx'))
const NewRequest = later(() => import('./requests/new-request-page.tsx'))

/** Paths of the console, the names of their titles, and who may see them. A path with an ID comes after the others. */
const PAGES: readonly (readonly [path: string, title: TitleName, View: PageView, to?: Permission])[] = [
  ['/console', 'overview', OverviewPage],
  ['/console/sign-in', 'overview', OverviewPage],
  ['/console/submissions', 'submissions', later(() => import('./submission/list-page.tsx'))],
  ['/console/new', 'new', later(() => import('./new/new-page.tsx')), 'submit'],
  ['/console/shares', 'shares', later(() => import('./shares/shares-page.tsx'))],
  ['/console/requests', 'requests', later(() => import('./requests/requests-page.tsx'))],
  ['/console/requests/new', 'newRequest', NewRequest, 'requests'],
  ['/console/programs', 'programs', later(() => import('./programs/programs-page.tsx'))],
  ['/console/programs/new', 'newProgram', Program, 'programs'],
  ['/console/profiles', 'profiles', later(() => import('./profiles/profiles-page.tsx'))],
  ['/console/keys', 'keys', later(() => import('./keys-page.tsx')), 'keys'],
  ['/console/webhooks', 'webhooks', later(() => import('./webhooks-page.tsx')), 'webhooks'],
  ['/console/members', 'members', later(() => import('./people/members-page.tsx'))],
  ['/console/audit', 'audit', later(() => import('./audit-page.tsx'))],
  ['/console/settings', 'settings', later(() => import('./settings-page.tsx'))],
  ['/console/account', 'account', later(() => import('./people/account-page.tsx'))],
  ['/console/service', 'service', Service, 'service'],
  ['/console/service/workspaces', 'serviceWorkspaces', Workspaces, 'service'],
  ['/console/service/workspaces/:id', 'serviceWorkspace', Workspaces, 'service'],
  ['/console/submissions/:id', 'submission', later(() => import('./submission/submission-page.tsx'))],
  ['/console/requests/:id', 'request', later(() => import('./requests/request-page.tsx'))],
  ['/console/programs/:id', 'program', Board],
  ['/console/programs/:id/edit', 'program', Program, 'programs'],
  ['/console/programs/:id/:period', 'program', Board],
  ['/console/rooms/:id', 'room', later(() => import('./shares/room-page.tsx'))],
]

export interface Page {
  readonly title: string
  readonly page: ReactNode
}

/** The page for a URL of the console. */
export function pageFor({ pathname, searchParams }: URL): Page {
  for (const [path, name, View, to] of PAGES) {
    const found = matchPath(path, pathname)
    if (found === undefined) continue
    const title = t(`console.titles.${name}`)
    const copyOf = searchParams.get('copy')
    const page = <View key={copyOf} id={found['id'] ?? ''} period={found['period']} copyOf={copyOf} />
    return { title, page: to === undefined ? page : <Permitted {...{ to, title }}>{page}</Permitted> }
  }
  return { title: t('notFound.title'), page: <NotFound /> }
}
