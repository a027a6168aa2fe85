import { type CallOptions, sendJson } from './call.ts'
import { type ClientOptions, createClient, createTransport } from './client.ts'
import type * as Console from './console-types.generated.ts'
import type { Transport } from './transport.ts'

export { toApiError } from './transport.ts'
export type * from './console-types.generated.ts'

/** Sent by the pages of the console. Other sites cannot send it, because it requires a CORS preflight. */
export const OWN_REQUEST = { 'x-console-request': '1' } as const

/** Sent with polling, which does not extend the session. */
export const IN_BACKGROUND = { 'x-console-background': '1' } as const

export type ConsoleClient = ReturnType<typeof createConsoleClient>

/** A client for pages of the service: the API with the session of a member, and what only a session can do. */
export function createConsoleClient(service: Omit<ClientOptions, 'apiKey' | 'headers'>) {
  const options = { ...service, headers: OWN_REQUEST }
  return {
    ...createClient(options),
    ...consoleCalls(createTransport({ ...options, fetch: service.fetch ?? fetchQuietly })),
  }
}

/** Options of a WebAuthn ceremony, for the browser, and what identifies it. */
export interface Ceremony<Options> {
  readonly ceremony: string
  readonly options: Options
}

/** What the browser's authenticator returned. */
export interface PasskeyAnswer {
  readonly ceremony: string
  readonly response: object
  readonly label?: string | undefined
}

/** What people say about themselves. */
export interface Person {
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** The first owner also names the workspace. */
export interface Introduction extends Person {
  readonly workspace_name?: string | undefined
}

/** The limits of a plan that operators change. */
export type ServiceLimits = Pick<
  Console.Plan,
  'upload_limit_bytes' | 'storage_limit_bytes' | 'rate_per_minute' | 'mails_per_day'
>

/** A path with what is filled in encoded. */
const at = (texts: TemplateStringsArray, ...ids: readonly string[]): string =>
  String.raw({ raw: texts }, ...ids.map(encodeURIComponent))

/** The calls of the console that are not part of the API: sign-in, sessions, passkeys and members. */
function consoleCalls(transport: Transport) {
  const ask = async <Data = undefined>(
    method: string,
    path: string,
    body?: object,
    options: CallOptions = {},
  ): Promise<Data> => {
    const request = { ...options, method, path: `/console/api${path}`, body }
    return (await sendJson<Data>(transport, request, () => true)).data
  }
  const get = <Data>(path: string, options?: CallOptions) => ask<Data>('GET', path, undefined, options)
  const post = <Data = undefined>(path: string, body: object = {}) => ask<Data>('POST', path, body)
  const patch = <Data = undefined>(path: string, body: object) => ask<Data>('PATCH', path, body)
  const remove = (path: string) => ask('DELETE', path)

  return {
    getServiceInfo: (options?: CallOptions) => get<Console.ServiceInfo>('/public', options),

    /** The signed-in member. */
    getMe: (options?: CallOptions) => get<Console.Me>('/me', options),
    switchWorkspace: (workspaceId: string) => post<Console.Me>('/switch', { workspace_id: workspaceId }),
    changeWorkspace: (body: Partial<Pick<Console.Workspace, 'name' | 'public_kits' | 'language'>>) =>
      patch<Console.Me>('/workspace', body),
    changePerson: (person: Person) => patch<Console.Me>('/me', person),

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
    invite: (email: string, role: Console.Role) =>
      post<Console.NewInvitation>('/invitations', { email, role }),
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
}

/**
 * Fetches for a page of the service. Browsers log every error status as an error of the page, also one that the page expects and
 * explains. Such errors come with status 200 and their own in a header.
 */
export async function fetchQuietly(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-errors', 'quiet')
  const response = await fetch(url, { ...init, headers })
  const status = Number(response.headers.get('x-error-status') ?? 200)
  return status === 200 ? response : new Response(response.body, { status, headers: response.headers })
}
