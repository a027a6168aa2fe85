import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'

export const AUDIENCE = 'https://kits.example'
const CLAIMS = {
  repository: 'acme/evidence',
  ref: 'refs/heads/main',
  sha: '5d41402abc4b2a76b9719d911017c592a1b2c3d4',
  workflow_ref: 'acme/evidence/.github/workflows/evidence.yml@refs/heads/main',
  run_id: '4711',
  run_attempt: 1,
  actor: 'octocat',
  user_email: 'octocat@acme.example',
}

export interface Provider {
  readonly issuer: string
  /** A token that the provider has signed, as a CI system gives to its jobs. */
  token(audience?: string, claims?: Readonly<Record<string, string>>): Promise<string>
  stop(): Promise<void>
}

/** A real OpenID Connect provider. Jobs get their tokens with the client credentials grant. */
export async function startProvider({ lifeSeconds = 600 } = {}): Promise<Provider> {
  const server = createServer()
  const issuer = await listen(server)
  const { default: OidcProvider } = (await import('oidc-provider' as string)) as {
    default: new (issuer: string, options: object) => { callback(): (...args: unknown[]) => void }
  }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  let own: Readonly<Record<string, string>> = {}
  const client = { client_id: 'job', client_secret: 'secret', grant_types: ['client_credentials'] }
  const oidc = new OidcProvider(issuer, {
    clients: [{ ...client, redirect_uris: [], response_types: [] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'first' }] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx: unknown, audience: string) => ({
          scope: '',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    ttl: { ClientCredentials: lifeSeconds },
    extraTokenClaims: () => ({ ...CLAIMS, ...own }),
  })
  server.on('request', oidc.callback())
  return {
    issuer,
    token: async (resource = AUDIENCE, claims = {}) => {
      own = claims
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from('job:secret').toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
      })
      const { access_token } = (await answer.json()) as { access_token?: string }
      assert.ok(access_token !== undefined)
      return access_token
    },
    stop: () => close(server),
  }
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
