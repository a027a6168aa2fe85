import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { texts } from '../texts/index.ts'
import { ApiProblem, get, post } from './api.ts'
import type { Me, Permission } from './api-types.generated.ts'

export const ME = ['me'] as const

/** The signed-in member. Fails with `session_required` if nobody is signed in. */
export const useSession = () => useQuery({ queryKey: ME, queryFn: () => get<Me>('/me'), retry: false })

const MeContext = createContext<Me | undefined>(undefined)

export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>
}

export function useMe(): Me {
  const me = use(MeContext)
  if (me === undefined) throw new Error('nobody is signed in here')
  return me
}

export interface Allowed {
  readonly is: boolean
  /** Why not, for the user. */
  readonly why: string | undefined
}

/** Whether the member's role has a permission. */
export function useAllowed(permission: Permission): Allowed {
  const { can, member } = useMe()
  const is = can.includes(permission)
  return { is, why: is ? undefined : texts.console.roles.needs(permission, member.role) }
}

/** Reloads the session after a 401, which shows the sign-in page. */
export function noticeEnd(queries: QueryClient, error: unknown): void {
  if (error instanceof ApiProblem && error.status === 401) void queries.refetchQueries({ queryKey: ME })
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await post('/sign-out').catch(() => undefined)
    queries.clear()
    location.assign('/console')
  }
}
