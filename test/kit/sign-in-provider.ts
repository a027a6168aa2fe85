import assert from 'node:assert/strict'
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answered, Browser } from './console.ts'

interface Claims {
  readonly email?: string
  readonly email_verified?: boolean
  readonly nonce?: string
  readonly aud?: string
}

export interface Provider extends AsyncDisposable {
  readonly issuer: string
  /** Claims of the next sign-in that differ from the defaults. */
  claims: Claims
  /** Issued codes with the parameters of their requests. */
  readonly requests: Map<string, URLSearchParams>
  readonly settings: Readonly<Record<string, string>>
}

const CLIENT = 'kitseal-console'
const SECRET = 'a secret of the client'

/** A minimal provider: authorization code with PKCE, ES256, one user. */
export async function provider(): Promise<Provider> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const requests = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', self.issuer)
    const json = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.pathname === '/.well-known/openid-configuration')
      return json(200, {
        issuer: self.issuer,
        authorization_endpoint: `${self.issuer}/authorize`,
        token_endpoint: `${self.issuer}/token`,
        jwks_uri: `${self.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        code_challenge_methods_supported: ['S256'],
      })
    if (url.pathname === '/jwks')
      return json(200, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }],
      })
    if (url.pathname === '/authorize') {
      const code = randomBytes(16).toString('hex')
      requests.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(302, { location: back.href }).end()
    }
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const form = new URLSearchParams(body)
      const code = form.get('code') ?? ''
      const authorization = requests.get(code)
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const basic = `Basic ${Buffer.from(`${CLIENT}:${encodeURIComponent(SECRET).replaceAll('%20', '+')}`).toString('base64')}`
      const isClient = request.headers.authorization === basic || form.get('client_secret') === SECRET
      requests.delete(code)
      if (authorization === undefined || authorization.get('code_challenge') !== challenge || !isClient)
        return json(400, { error: 'invalid_grant' })
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: self.issuer,
        sub: 'one user',
        aud: CLIENT,
        iat: now,
        exp: now + 60,
        nonce: authorization.get('nonce'),
        email_verified: true,
        ...self.claims,
      }
      const signed = `${part({ alg: 'ES256', kid: 'one' })}.${part(claims)}`
      const signature = createSign('sha256')
        .update(signed)
        .sign({ key: privateKey, dsaEncoding: 'ieee-p1363' })
      json(200, {
        access_token: 'x',
        token_type: 'bearer',
        id_token: `${signed}.${signature.toString('base64url')}`,
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: Provider = {
    issuer,
    claims: {},
    requests,
    settings: {
      KITSEAL_OIDC_ISSUER: issuer,
      KITSEAL_OIDC_CLIENT_ID: CLIENT,
      KITSEAL_OIDC_CLIENT_SECRET: SECRET,
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return self
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Follows redirects like a browser and returns the final URL. */
export async function signInBySso(
  user: Browser,
  returnTo = '/console/keys',
  change: (callback: URL) => void = () => {},
): Promise<Answered> {
  const start = await user.get(`/oidc/start?return_to=${encodeURIComponent(returnTo)}`)
  assert.equal(start.status, 303, start.text)
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  const callback = new URL(there.headers.get('location') ?? '')
  assert.equal(callback.origin, user.origin)
  change(callback)
  return user.get(callback.pathname.replace('/console/api', '') + callback.search)
}

export const problemOf = (answer: { readonly headers: Headers }): string | null =>
  new URL(answer.headers.get('location') ?? '').searchParams.get('problem')

export const isAsked = ({ headers }: Answered): boolean =>
  headers.get('location')?.endsWith('/console/choose-workspace') === true

/** What the service offers to a person who signed in. */
export async function offered(user: Browser) {
  const { status, json, text } = await user.get('/oidc/choices')
  assert.equal(status, 200, text)
  return (json as { choices: readonly { workspace_id: string; is: string }[] }).choices
}

/** Signs in, and chooses a workspace if the service asks. */
export async function enterBySso(user: Browser, workspaceId?: string, returnTo?: string): Promise<Answered> {
  const back = await signInBySso(user, returnTo)
  if (!isAsked(back)) return back
  const workspace_id = workspaceId ?? (await offered(user))[0]?.workspace_id
  const chosen = await user.post('/oidc/choose', { workspace_id })
  assert.equal(chosen.status, 200, chosen.text)
  return chosen
}

export const workspaceOf = async (user: Browser): Promise<string> =>
  ((await user.get('/me')).json['workspace'] as { workspace_id: string }).workspace_id
