import assert from 'node:assert/strict'
import { type CreationOptions, type RequestOptions, softwareAuthenticator } from './passkeys.ts'
import type { Authenticator } from './passkeys.ts'
import type { TestService } from './service.ts'
import { administer, type WorkspaceId } from './workspace.ts'
import { pauseAfter } from './until.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly json: Record<string, unknown>
  readonly text: string
}

/** Acts like a browser on a console page: keeps cookies and sends browser headers. */
export interface Browser {
  readonly origin: string
  readonly authenticator: Authenticator
  cookies: Map<string, string>
  /** A path below /v1, or one relative to /console/api. */
  get(path: string, headers?: Record<string, string>): Promise<Answered>
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  upload(submissionId: string, form: FormData): Promise<Answered>
}

/** What a member may do in a workspace. */
export type MemberRole = 'owner' | 'manager' | 'member' | 'viewer'

type Place = Pick<TestService, 'base' | 'dataFolder'>

export function browser(service: Pick<Place, 'base'>, authenticator?: Authenticator): Browser {
  const origin = service.base.replace('127.0.0.1', 'localhost')
  const cookies = new Map<string, string>()
  const call = async (path: string, init: RequestInit): Promise<Answered> => {
    const headers = new Headers(init.headers)
    if (self.cookies.size > 0)
      headers.set('cookie', [...self.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(service.base + (path.startsWith('/v1/') ? path : `/console/api${path}`), {
      ...init,
      headers,
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) keepCookie(self.cookies, line)
    const text = await response.text()
    const isJson = /^application\/json\b(?!l)/.test(response.headers.get('content-type') ?? '')
    const json = isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {}
    return { status: response.status, headers: response.headers, json, text }
  }
  const own = { origin, 'sec-fetch-site': 'same-origin', 'x-console-request': '1' }
  const self: Browser = {
    origin,
    authenticator: authenticator ?? softwareAuthenticator(origin),
    cookies,
    get: (path, headers = {}) => call(path, { headers: { 'sec-fetch-site': 'same-origin', ...headers } }),
    send: (method, path, body, headers = {}) =>
      call(path, {
        method,
        headers: {
          ...own,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    post: (path, body = {}, headers = {}) => self.send('POST', path, body, headers),
    upload: (id, form) =>
      call(`/v1/submissions/${id}/evidence`, { method: 'POST', headers: own, body: form }),
  }
  return self
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/;\s*Max-Age=0\b/.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

/** Creates an invitation link as the operator, by default for the first workspace. */
export function inviteLink(
  service: Place,
  email: string,
  { role = 'owner', workspaceId }: { role?: MemberRole; workspaceId?: string } = {},
): Promise<string> {
  return administer(service, async (admin) => {
    const id = (workspaceId ?? (await admin.workspaces.list())[0]?.workspace_id ?? '') as WorkspaceId
    return (await admin.invitations.invite({ workspaceId: id, email, role }, { is: 'operator' })).token
  })
}

/** Accepts an invitation with a new passkey, which signs in. */
export async function join(user: Browser, token: string): Promise<Answered> {
  const offered = await user.post('/invitation/options', { token })
  assert.equal(offered.status, 200, offered.text)
  const { ceremony, options } = offered.json
  const response = user.authenticator.create(options as CreationOptions)
  return user.post('/invitation/accept', { token, ceremony, response })
}

export async function signInByPasskey(user: Browser): Promise<Answered> {
  const { ceremony, options } = (await user.post('/sign-in/options')).json
  return user.post('/sign-in', { ceremony, response: user.authenticator.get(options as RequestOptions) })
}

/** A signed-in member with this role. */
export async function member(
  service: Place,
  role: MemberRole = 'owner',
  workspaceId?: string,
  email = `${role}@acme.example`,
): Promise<Browser> {
  const user = browser(service)
  const options = workspaceId === undefined ? { role } : { role, workspaceId }
  const response = await user.post('/invitation/accept', { token: await inviteLink(service, email, options) })
  assert.equal(response.status, 200, response.text)
  return user
}

/** Polls until the submission is final. */
export async function ended(user: Browser, id: string): Promise<Readonly<Record<string, unknown>>> {
  for (let looks = 0; ; looks++) {
    const { json } = await user.get(`/v1/submissions/${id}`)
    if (json['status'] === 'PASS' || json['status'] === 'FAIL') return json
    await pauseAfter(looks)
  }
}
