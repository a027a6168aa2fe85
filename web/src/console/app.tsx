import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Activity, Suspense } from 'react'
import { Notice } from '../parts/blocks.tsx'
import { PublicFrame } from '../parts/public-frame.tsx'
import { useLocation } from '../router.tsx'
import { texts } from '../texts/index.ts'
import { ApiProblem } from './api.ts'
import { ConsoleFrame } from './console-frame.tsx'
import { ErrorStop } from './error-stop.tsx'
import { LiveProvider } from './live-query.tsx'
import { Loading, Problem } from './problem.tsx'
import { pageFor } from './pages.tsx'
import { ME, MeProvider, noticeEnd, useSession } from './session.tsx'
import { InvitePage } from './sign-in/invite-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import type { Me } from './types.ts'

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== ME[0]) noticeEnd(queries, error)
    },
  }),
  mutationCache: new MutationCache({ onError: (error) => noticeEnd(queries, error) }),
  defaultOptions: {
    // A machine without a network may have the service on itself, so that asking is the only way to know.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5000,
      // A refusal stays one; what was not answered at all may be answered the next time.
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiProblem && error.status > 0 && error.status < 500),
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

/** The way in: a link that was sent, a passkey, or the session that is already there. */
function Gate() {
  const { pathname } = useLocation()
  if (pathname === '/console/invite') return <InvitePage />
  return <WithSession />
}

/** Where files are chosen, and no secret is ever shown. */
const CHOOSING = /^\/console\/(new$|submissions\/)/

function WithSession() {
  const { pathname } = useLocation()
  const { data: me, error, refetch } = useSession()
  const t = texts.console
  const isOut = error instanceof ApiProblem && error.status === 401
  // A service that does not answer takes nothing away from what is on the page. A session that ended does, except for the
  // files that somebody chose: whoever signs in again finds them, unless it is somebody else.
  if (me?.workspace.entitled === true && (!isOut || CHOOSING.test(pathname)))
    return (
      <>
        {isOut && <SignInPage />}
        <Activity mode={isOut ? 'hidden' : 'visible'}>
          <SignedIn key={me.member.member_id} me={me} />
        </Activity>
      </>
    )
  if (isOut) return <SignInPage />
  return (
    <PublicFrame title={t.title}>
      {me !== undefined && !me.workspace.entitled && (
        <Notice tone="warn" title={t.notEntitled.title}>
          {t.notEntitled.text(me.workspace.name)}
        </Notice>
      )}
      {me === undefined && error === null && <Loading />}
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
    </PublicFrame>
  )
}

function SignedIn({ me }: { readonly me: Me }) {
  const location = useLocation()
  const { title, page } = pageFor(location)
  return (
    <MeProvider me={me}>
      <LiveProvider>
        <ConsoleFrame title={title}>
          <ErrorStop key={location.pathname}>
            <Suspense fallback={<Loading />}>{page}</Suspense>
          </ErrorStop>
        </ConsoleFrame>
      </LiveProvider>
    </MeProvider>
  )
}
