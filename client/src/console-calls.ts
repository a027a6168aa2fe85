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
  ServiceInfo,
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
    changeWorkspace: (body: { readonly name?: string; readonly public_kits?: Workspace['public_kits'] }) =>
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
  }
}
