import { ApiError } from '@kitseal/client'
import type { Me, Role, Passkey } from '../core/console-types.generated.ts'
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { Link } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Heading, Notice } from '../parts/blocks.tsx'
import { api, type Introduction } from './client.ts'

export const ME = ['me'] as const

/** The signed-in member. Fails with `session_required` if nobody is signed in. */
export const useSession = () => useQuery({ queryKey: ME, queryFn: () => api.getMe(), retry: false })

const MeContext = createContext<Me | undefined>(undefined)

export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>
}

export function useMe(): Me {
  const me = use(MeContext)
  if (me === undefined) throw new Error('nobody is signed in here')
  return me
}

/** Stores what a change of the session, the person or the workspace answered. */
export function useSetMe(): (me: Me) => void {
  const queries = useQueryClient()
  return (me) => queries.setQueryData(ME, me)
}

export interface Allowed {
  readonly is: boolean
  /** Why not, for the user. */
  readonly why: string | undefined
}

/** The lowest role for what the console offers. `service` is for operators alone. The service has the last word. */
const NEEDED = {
  submit: 'member',
  shares: 'member',
  comments: 'manager',
  requests: 'member',
  programs: 'manager',
  profiles: 'manager',
  webhooks: 'owner',
  keys: 'owner',
  members: 'owner',
  settings: 'owner',
  reissue: 'owner',
  custody: 'owner',
} as const satisfies Readonly<Record<string, Role>>

export type Permission = keyof typeof NEEDED | 'service'

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, member: 1, manager: 2, owner: 3 }

export const roleText = (role: Role): string => t(`console.roles.names.${role}`)

export const allows = ({ member, is_operator }: Me, permission: Permission): boolean =>
  permission === 'service' ? is_operator : RANKS[member.role] >= RANKS[NEEDED[permission]]

/** Whether the member's role allows something. */
export function useAllowed(permission: Permission): Allowed {
  const me = useMe()
  if (allows(me, permission)) return { is: true, why: undefined }
  if (permission === 'service') return { is: false, why: t('console.service.notOperator') }
  return { is: false, why: t(`console.roles.needs.${permission}`, { role: roleText(me.member.role) }) }
}

export interface PermittedProps {
  readonly to: Permission
  readonly title: string
  readonly children: ReactNode
}

/** A page for members with the right role. The others read why they do not see it. */
export function Permitted({ to, title, children }: PermittedProps) {
  const allowed = useAllowed(to)
  if (allowed.is) return children
  return (
    <>
      <Heading title={title} />
      <Notice tone="info">{allowed.why}</Notice>
    </>
  )
}

/** Reloads the session after a 401, which shows the sign-in page. */
export function noticeEnd(queries: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 401) void queries.refetchQueries({ queryKey: ME })
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await api.signOut().catch(() => undefined)
    queries.clear()
    location.assign('/console')
  }
}

/** What the service offers to everyone. */
export const useServiceInfo = () => useQuery({ queryKey: ['public'], queryFn: () => api.getServiceInfo() })

export const canUsePasskeys = (info: ReturnType<typeof useServiceInfo>['data']): boolean =>
  browserSupportsWebAuthn() && info?.console.passkeys !== false

/** Reminds members without a passkey, who cannot sign in again, to add one. */
export function NoPasskey({ isLinked = true }: { readonly isLinked?: boolean }) {
  const { passkeys, session } = useMe()
  const info = useServiceInfo()
  if (passkeys > 0 || session.method !== 'link' || info.data === undefined || !canUsePasskeys(info.data))
    return null
  return (
    <Notice tone="warn">
      {t('console.account.passkeys.none')}{' '}
      {isLinked && <Link href="/console/account">{t('console.account.passkeys.add')}</Link>}
    </Notice>
  )
}

export async function signIn(): Promise<Me> {
  const { ceremony, options } = await api.startSignIn<PublicKeyCredentialRequestOptionsJSON>()
  const response = await inWords(startAuthentication({ optionsJSON: options }))
  return api.signIn({ ceremony, response })
}

/** Accepts an invitation with a new passkey, and signs in. */
export async function acceptWithPasskey(
  token: string,
  label: string,
  introduction: Introduction,
): Promise<Me> {
  const { ceremony, options } = await api.startInvitation<PublicKeyCredentialCreationOptionsJSON>(
    token,
    introduction.email,
  )
  const response = await inWords(startRegistration({ optionsJSON: options }))
  return api.acceptInvitation(token, introduction, { ceremony, response, ...named(label) })
}

export async function addPasskey(label: string): Promise<Passkey> {
  const { ceremony, options } = await api.startPasskey<PublicKeyCredentialCreationOptionsJSON>()
  const response = await inWords(startRegistration({ optionsJSON: options }))
  const { passkey } = await api.addPasskey({ ceremony, response, ...named(label) })
  return passkey
}

const named = (label: string): { readonly label?: string } =>
  label.trim() === '' ? {} : { label: label.trim() }

/** Replaces the browser's technical error messages. */
async function inWords<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError')
      throw new Error(t('console.signIn.dismissed'), { cause: error })
    if (name === 'InvalidStateError') throw new Error(t('console.signIn.alreadyThere'), { cause: error })
    throw new Error(t('console.signIn.noPasskey'), { cause: error })
  }
}
