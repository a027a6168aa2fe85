import type { CallOptions } from './call.ts'
import type {
  ChangedMember,
  ChosenWorkspace,
  Leaving,
  LogInfo,
  Me,
  MemberList,
  NewInvitation,
  OnePasskey,
  OpenInvitation,
  PasskeyList,
  Role,
  NewServiceWorkspace,
  Plan,
  ServiceInfo,
  ServicePage,
  ServicePlanList,
  ServiceWorkspace,
  ServiceWorkspaceList,
  ServiceWorkspacePage,
  SessionList,
  Workspace,
  WorkspaceChoices,
} from './console-types.generated.ts'
import { withRetries } from './retry.ts'
import { sendForJson, type Transport } from './transport.ts'

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
  Plan,
  'upload_limit_bytes' | 'storage_limit_bytes' | 'rate_per_minute' | 'mails_per_day'
>

/** The calls of the console that are not part of the API: sign-in, sessions, passkeys and members. */
export function consoleCalls(transport: Transport) {
  const ask = async <Data>(method: string, path: string, options: CallOptions & { body?: object } = {}) => {
    const { body, signal, headers } = options
    const request = {
      method,
      path: `/console/api${path}`,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    }
    const send = () => sendForJson<Data>(transport, request, () => true)
    return (await withRetries(transport.retry, transport.platform, signal, send)).data
  }
  const get = <Data>(path: string, options?: CallOptions) => ask<Data>('GET', path, options)
  const post = <Data>(path: string, body: object = {}) => ask<Data>('POST', path, { body })

  return {
    getServiceInfo: (options?: CallOptions) => get<ServiceInfo>('/public', options),
    getLogInfo: (options?: CallOptions) => get<LogInfo>('/public/log', options),

    /** The signed-in member. */
    getMe: (options?: CallOptions) => get<Me>('/me', options),
    switchWorkspace: (workspaceId: string) => post<Me>('/switch', { workspace_id: workspaceId }),
    changeWorkspace: (body: Partial<Pick<Workspace, 'name' | 'public_kits' | 'language'>>) =>
      ask<Me>('PATCH', '/workspace', { body }),

    changePerson: (person: Person) => ask<Me>('PATCH', '/me', { body: person }),

    startSignIn: <Options>() => post<Ceremony<Options>>('/sign-in/options'),
    signIn: (answer: PasskeyAnswer) => post<Me>('/sign-in', answer),
    signOut: () => post<undefined>('/sign-out'),
    listWorkspaceChoices: () => get<WorkspaceChoices>('/oidc/choices'),
    chooseWorkspace: (workspaceId: string) =>
      post<ChosenWorkspace>('/oidc/choose', { workspace_id: workspaceId }),
    getInvitation: (token: string) => post<OpenInvitation>('/invitation', { token }),
    startInvitation: <Options>(token: string, email?: string) =>
      post<Ceremony<Options>>('/invitation/options', { token, email }),
    acceptInvitation: (token: string, introduction: Introduction, answer?: PasskeyAnswer) =>
      post<Me>('/invitation/accept', { token, ...introduction, ...answer }),

    listSessions: (options?: CallOptions) => get<SessionList>('/sessions', options),
    endSession: (sessionId: string) => ask<undefined>('DELETE', `/sessions/${encodeURIComponent(sessionId)}`),
    endOtherSessions: () => post<undefined>('/sessions/end-others'),

    listPasskeys: (options?: CallOptions) => get<PasskeyList>('/passkeys', options),
    startPasskey: <Options>() => post<Ceremony<Options>>('/passkeys/options'),
    addPasskey: (answer: PasskeyAnswer) => post<OnePasskey>('/passkeys', answer),
    removePasskey: (passkeyId: string) =>
      ask<undefined>('DELETE', `/passkeys/${encodeURIComponent(passkeyId)}`),

    /** Only a person can extend a key. Null: it does not expire. */
    extendKey: (keyId: string, days: number | null) =>
      ask<undefined>('PATCH', `/keys/${encodeURIComponent(keyId)}`, { body: { expires_days: days } }),

    listMembers: (options?: CallOptions) => get<MemberList>('/members', options),
    changeMember: (memberId: string, role: Role) =>
      ask<ChangedMember>('PATCH', `/members/${encodeURIComponent(memberId)}`, { body: { role } }),
    /** What a member leaves behind. */
    getLeaving: (memberId: string, options?: CallOptions) =>
      get<Leaving>(`/members/${encodeURIComponent(memberId)}/leaving`, options),
    /** Keys and federations of the member end, except those to keep. */
    removeMember: (memberId: string, keep: readonly string[] = []) =>
      ask<undefined>(
        'DELETE',
        `/members/${encodeURIComponent(memberId)}${keep.length === 0 ? '' : `?keep=${encodeURIComponent(keep.join(','))}`}`,
      ),
    invite: (email: string, role: Role) => post<NewInvitation>('/invitations', { email, role }),
    revokeInvitation: (invitationId: string) =>
      post<undefined>(`/invitations/${encodeURIComponent(invitationId)}/revoke`),

    /** For operators. */
    getService: (options?: CallOptions) => get<ServicePage>('/service', options),
    sendTestMail: () => post<undefined>('/service/test-mail'),
    listServiceWorkspaces: (q: string, cursor?: string) =>
      get<ServiceWorkspaceList>(
        `/service/workspaces?${new URLSearchParams({ q, ...(cursor === undefined ? {} : { cursor }) }).toString()}`,
      ),
    createServiceWorkspace: (body: {
      readonly name: string
      readonly plan: string
      readonly email: string
    }) => post<NewServiceWorkspace>('/service/workspaces', body),
    getServiceWorkspace: (id: string, options?: CallOptions) =>
      get<ServiceWorkspacePage>(ofWorkspace(id), options),
    changeServiceWorkspace: (id: string, plan: string) =>
      ask<ServiceWorkspace>('PATCH', ofWorkspace(id), { body: { plan } }),
    confirmWorkspaceName: (id: string, name: string) =>
      post<ServiceWorkspace>(`${ofWorkspace(id)}/confirm-name`, { name }),
    removeServiceMember: (id: string, memberId: string) =>
      ask<undefined>('DELETE', `${ofWorkspace(id)}/members/${encodeURIComponent(memberId)}`),
    /** Deletes the passkeys of a member, and mails them a link. */
    resetAccess: (id: string, memberId: string) =>
      post<undefined>(`${ofWorkspace(id)}/members/${encodeURIComponent(memberId)}/reset`),
    listServicePlans: (options?: CallOptions) => get<ServicePlanList>('/service/plans', options),
    createServicePlan: (name: string, limits: ServiceLimits) =>
      post<undefined>('/service/plans', { name, ...limits }),
    changeServicePlan: (name: string, limits: ServiceLimits) =>
      ask<undefined>('PATCH', `/service/plans/${encodeURIComponent(name)}`, { body: limits }),
  }
}

const ofWorkspace = (id: string): string => `/service/workspaces/${encodeURIComponent(id)}`
