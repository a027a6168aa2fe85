import { ApiError } from '@kitseal/client'
import type { Me } from '../core/console-types.generated.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { Activity } from 'react'
import { useLocation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Notice, Loading, Problem } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import { PublicFrame } from '../parts/frame.tsx'
import { ConsoleFrame, WorkspaceMenu } from './frame.tsx'
import { pageFor } from './pages.tsx'
import { ErrorBoundary } from './blocks.tsx'
import { queries, useLiveUpdates } from './queries.tsx'
import { MeProvider, useMe, useSession, useSignOut } from './session.tsx'
import { ChoosePage, SignInPage, InvitePage } from './sign-in/door.tsx'
import './console.css'

export default function ConsoleApp() {
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

/** Pages with what was typed or chosen, and without secrets. */
const CHOOSING = /^\/console\/(new$|submissions\/|(requests|programs)\/new$)/

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
      <Problem error={error} onRetry={() => void refetch()} />
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
        <Button onClick={() => void signOut()}>{t('console.signOut')}</Button>
      </div>
    </>
  )
}

function SignedIn({ me }: { readonly me: Me }) {
  const location = useLocation()
  const { title, page } = pageFor(location)
  useLiveUpdates()
  return (
    <MeProvider me={me}>
      <ConsoleFrame title={title}>
        <ErrorBoundary key={location.pathname}>{page}</ErrorBoundary>
      </ConsoleFrame>
    </MeProvider>
  )
}
