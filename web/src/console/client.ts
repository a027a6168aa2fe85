import { createClient } from '@kitseal/client'
import type * as Console from '../core/console-types.generated.ts'
import { fetchJson, OWN_REQUEST, sendJson } from '../core/fetch-json.ts'

/** For a request that does not count as user activity: polling does not extend the session. */
export const QUIETLY = { headers: { 'x-console-background': '1' } } as const

/** For a request that must not take effect twice, however often it is sent. */
export const once = (key: string) => ({ headers: { 'idempotency-key': key } }) as const

/** Options of a WebAuthn ceremony, for the browser, and what identifies it. */
interface Ceremony<Options> {
  readonly ceremony: string
  readonly options: Options
}

/** What the browser's authenticator returned. */
interface PasskeyAnswer {
  readonly ceremony: string
  readonly response: object
  readonly label?: string | undefined
}

/** What people say about themselves. The first owner also names the workspace. */
export type Introduction = Readonly<Partial<Record<'name' | 'email' | 'workspace_name', string | undefined>>>

/** The limits of a plan that operators change. */
type ServiceLimits = Pick<
  Console.Plan,
  'upload_limit_bytes' | 'storage_limit_bytes' | 'rate_per_minute' | 'mails_per_day'
>

/** A path with what is filled in encoded. */
const at = (texts: TemplateStringsArray, ...ids: readonly string[]): string =>
  String.raw({ raw: texts }, ...ids.map(encodeURIComponent))

const TIMEOUT_MS = 30_000

type CallOptions = Partial<typeof QUIETLY>

async function ask<Data = undefined>(
  method: string,
  path: string,
  body?: object,
  { headers }: CallOptions = {},
): Promise<Data> {
  const init = { headers: { ...OWN_REQUEST, ...headers }, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const url = `/console/api${path}`
  return body === undefined ? fetchJson(url, { ...init, method }) : sendJson(method, url, body, init)
}

const get = <Data>(path: string, options?: CallOptions) => ask<Data>('GET', path, undefined, options)
const post = <Data = undefined>(path: string, body: object = {}) => ask<Data>('POST', path, body)
const patch = <Data = undefined>(path: string, body: object) => ask<Data>('PATCH', path, body)
const remove = (path: string) => ask('DELETE', path)

/** This service, with the session of the member: its API, and the calls that only a session can make. Queries retry on their own. */
export const api = {
  ...createClient({ baseUrl: location.origin, headers: OWN_REQUEST, retry: { attempts: 1 } }),

  getServiceInfo: (options?: CallOptions) => get<Console.ServiceInfo>('/public', options),

  /** The signed-in member. */
  getMe: (options?: CallOptions) => get<Console.Me>('/me', options),
  switchWorkspace: (workspaceId: string) => post<Console.Me>('/switch', { workspace_id: workspaceId }),
  changeWorkspace: (body: Partial<Pick<Console.Workspace, 'name' | 'public_kits' | 'language'>>) =>
    patch<Console.Me>('/workspace', body),
  changePerson: (person: Omit<Introduction, 'workspace_name'>) => patch<Console.Me>('/me', person),

  startSignIn: <Options>() => post<Ceremony<Options>>('/sign-in/options'),
  signIn: (answer: PasskeyAnswer) => post<Console.Me>('/sign-in', answer),
  signOut: () => post('/sign-out'),
  listWorkspaceChoices: () => get<Console.WorkspaceChoices>('/oidc/choices'),
  chooseWorkspace: (workspaceId: string) =>
    post<Console.ChosenWorkspace>('/oidc/choose', { workspace_id: workspaceId }),
  getInvitation: (token: string) => post<Console.OpenInvitation>('/invitation', { token }),
  startInvitation: <Options>(token: string, email?: string) =>
    post<Ceremony<Options>>('/invitation/options', { token, email }),
  acceptInvitation: (token: string, introduction: Introduction, answer?: PasskeyAnswer) =>
    post<Console.Me>('/invitation/accept', { token, ...introduction, ...answer }),

  listSessions: (options?: CallOptions) => get<Console.SessionList>('/sessions', options),
  endSession: (sessionId: string) => remove(at`/sessions/${sessionId}`),
  endOtherSessions: () => post('/sessions/end-others'),

  listPasskeys: (options?: CallOptions) => get<Console.PasskeyList>('/passkeys', options),
  startPasskey: <Options>() => post<Ceremony<Options>>('/passkeys/options'),
  addPasskey: (answer: PasskeyAnswer) => post<Console.OnePasskey>('/passkeys', answer),
  removePasskey: (passkeyId: string) => remove(at`/passkeys/${passkeyId}`),

  /** Only a person can extend a key. Null: it does not expire. */
  extendKey: (keyId: string, days: number | null) => patch(at`/keys/${keyId}`, { expires_days: days }),

  listMembers: (options?: CallOptions) => get<Console.MemberList>('/members', options),
  changeMember: (memberId: string, role: Console.Role) =>
    patch<Console.ChangedMember>(at`/members/${memberId}`, { role }),
  /** What a member leaves behind. */
  getLeaving: (memberId: string, options?: CallOptions) =>
    get<Console.Leaving>(at`/members/${memberId}/leaving`, options),
  /** Keys and federations of the member end, except those to keep. */
  removeMember: (memberId: string, keep: readonly string[] = []) =>
    remove(at`/members/${memberId}` + (keep.length === 0 ? '' : at`?keep=${keep.join(',')}`)),
  invite: (email: string, role: Console.Role) => post<Console.NewInvitation>('/invitations', { email, role }),
  revokeInvitation: (invitationId: string) => post(at`/invitations/${invitationId}/revoke`),

  /** For operators. */
  getService: (options?: CallOptions) => get<Console.ServicePage>('/service', options),
  sendTestMail: () => post('/service/test-mail'),
  listServiceWorkspaces: (q: string, cursor?: string) =>
    get<Console.ServiceWorkspaceList>(
      at`/service/workspaces?q=${q}` + (cursor === undefined ? '' : at`&cursor=${cursor}`),
    ),
  createServiceWorkspace: (body: Readonly<Record<'name' | 'plan' | 'email', string>>) =>
    post<Console.NewServiceWorkspace>('/service/workspaces', body),
  getServiceWorkspace: (id: string, options?: CallOptions) =>
    get<Console.ServiceWorkspacePage>(at`/service/workspaces/${id}`, options),
  changeServiceWorkspace: (id: string, plan: string) =>
    patch<Console.ServiceWorkspace>(at`/service/workspaces/${id}`, { plan }),
  confirmWorkspaceName: (id: string, name: string) =>
    post<Console.ServiceWorkspace>(at`/service/workspaces/${id}/confirm-name`, { name }),
  removeServiceMember: (id: string, memberId: string) =>
    remove(at`/service/workspaces/${id}/members/${memberId}`),
  /** Deletes the passkeys of a member, and mails them a link. */
  resetAccess: (id: string, memberId: string) =>
    post(at`/service/workspaces/${id}/members/${memberId}/reset`),
  listServicePlans: (options?: CallOptions) => get<Console.ServicePlanList>('/service/plans', options),
  createServicePlan: (name: string, limits: ServiceLimits) => post('/service/plans', { name, ...limits }),
  changeServicePlan: (name: string, limits: ServiceLimits) => patch(at`/service/plans/${name}`, limits),
}
