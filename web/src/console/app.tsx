import { Button } from '@mantine/core'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Activity } from 'react'
import { Notice } from '../parts/blocks.tsx'
import { PublicFrame } from '../parts/frame.tsx'
import { useLocation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { ApiError } from '@kitseal/client'
import type { Me } from '@kitseal/client/console'
import { ConsoleFrame } from './console-frame.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { LiveProvider } from './live-query.tsx'
import { Loading, Problem } from './problem.tsx'
import { pageFor } from './pages.tsx'
import { ME, MeProvider, noticeEnd, useMe, useSession, useSignOut } from './session.tsx'
import { RevocationBanner } from './reissue/revocation-banner.tsx'
import { ChoosePage } from './sign-in/choose-page.tsx'
import { InvitePage } from './sign-in/invite-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { WorkspaceMenu } from './workspaces/workspace-menu.tsx'

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== ME[0]) noticeEnd(queries, error)
    },
  }),
  mutationCache: new MutationCache({ onError: (error) => noticeEnd(queries, error) }),
  defaultOptions: {
    // The service may run on this machine, so requests are made even while the browser is offline.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5000,
      // Client errors are final; network and server errors are retried.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})

export function ConsoleApp() {
  return (
    <QueryClientProvider client={queries}>
      <Gate />
    </QueryClientProvider>
  )
}

function Gate() {
  const { pathname } = useLocation()
  if (pathname === '/console/invite') return <InvitePage />
  if (pathname === '/console/choose-workspace') return <ChoosePage />
  return <WithSession />
}

/** Pages with chosen files and without secrets. */
const CHOOSING = /^\/console\/(new$|submissions\/)/

function WithSession() {
  const { pathname } = useLocation()
  const { data: me, error, refetch } = useSession()
  const ended = error instanceof ApiError && error.status === 401 ? error : undefined
  const isOut = ended !== undefined
  // Pages stay while the service is unreachable. When the session ends, pages with chosen files are only hidden, so that
  // the same member finds the files again after signing in.
  if (me?.workspace.entitled === true && (!isOut || CHOOSING.test(pathname)))
    return (
      <>
        {isOut && <SignInPage ended={ended} />}
        <Activity mode={isOut ? 'hidden' : 'visible'}>
          <SignedIn key={me.member.member_id} me={me} />
        </Activity>
      </>
    )
  if (isOut) return <SignInPage ended={ended} />
  return (
    <PublicFrame title={t('console.title')}>
      {me !== undefined && !me.workspace.entitled && (
        <MeProvider me={me}>
          <NoAccess />
        </MeProvider>
      )}
      {me === undefined && error === null && <Loading />}
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
    </PublicFrame>
  )
}

/** The plan of the workspace does not include the console. Other workspaces of the same person may. */
function NoAccess() {
  const { workspace } = useMe()
  const signOut = useSignOut()
  return (
    <>
      <Notice tone="warn" title={t('console.notEntitled.title')}>
        {t('console.notEntitled.text', { name: workspace.name })}
      </Notice>
      <div className="row">
        <WorkspaceMenu />
        <Button variant="default" onClick={() => void signOut()}>
          {t('console.signOut')}
        </Button>
      </div>
    </>
  )
}

function SignedIn({ me }: { readonly me: Me }) {
  const location = useLocation()
  const { title, page } = pageFor(location)
  return (
    <MeProvider me={me}>
      <LiveProvider>
        <ConsoleFrame title={title}>
          <ErrorBoundary key={location.pathname}>
            <RevocationBanner />
            {page}
          </ErrorBoundary>
        </ConsoleFrame>
      </LiveProvider>
    </MeProvider>
  )
}
