import type { Configuration } from 'openid-client'
import type { OidcConfig } from '../settings/config.ts'
import { Refusal } from '../refusals.ts'
import { type Ceremonies } from './ceremonies.ts'
import type { ConsolePlace } from './console-place.ts'

export type OidcProblem = 'oidc_refused' | 'oidc_email_unverified' | 'oidc_unavailable'

/** Whose address was verified, and the console page to open. `asks`: which workspace, in any case. */
export interface Verified {
  readonly email: string
  readonly returnTo: string
  readonly asks: boolean
}

export type OidcOutcome =
  | ({ readonly is: 'known' } & Verified)
  | { readonly is: 'problem'; readonly problem: OidcProblem; readonly cause: unknown }

interface Expected {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
  readonly asks: boolean
}

/** Loaded on first use. */
const client = () => import('openid-client')

/** Sign-in with an OpenID Connect provider: authorization code, PKCE, state and nonce. */
export type Oidc = ReturnType<typeof oidc>

export function oidc(config: OidcConfig, ceremonies: Ceremonies, place: () => ConsolePlace) {
  const issuer = new URL(config.issuer)
  let discovered: Promise<Configuration> | undefined

  /** Discovery is retried after a failure. */
  const provider = (): Promise<Configuration> => {
    discovered ??= discover(config, issuer).catch((cause: unknown) => {
      discovered = undefined
      throw new Refusal(
        'oidc_unavailable',
        `${issuer.host} is unavailable. Try again, or sign in with a passkey.`,
        {
          cause,
          headers: { 'retry-after': '10' },
        },
      )
    })
    return discovered
  }
  const callbackUrl = (): string => `${place().url}/api/oidc/callback`

  return {
    /** The host of the provider, shown on the sign-in button. */
    name: issuer.host,
    /** The authorization URL, and the ceremony ID for the cookie. */
    start: async (
      returnTo: string,
      asks: boolean,
    ): Promise<{ readonly url: string; readonly ceremony: string }> => {
      const settings = await provider()
      const oauth = await client()
      const verifier = oauth.randomPKCECodeVerifier()
      const [state, nonce] = [oauth.randomState(), oauth.randomNonce()]
      const url = oauth.buildAuthorizationUrl(settings, {
        redirect_uri: callbackUrl(),
        scope: 'openid email',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      const expected = { state, nonce, verifier, returnTo, asks } satisfies Expected
      return { url: url.href, ceremony: await ceremonies.begin('oidc', expected) }
    },
    /** Returns the email address that the provider has verified. */
    finish: async (callback: URL, ceremony: string): Promise<OidcOutcome> => {
      try {
        const expected = await ceremonies.end<Expected>('oidc', ceremony)
        const oauth = await client()
        const current = new URL(callbackUrl())
        current.search = callback.search
        const tokens = await oauth.authorizationCodeGrant(await provider(), current, {
          pkceCodeVerifier: expected.verifier,
          expectedState: expected.state,
          expectedNonce: expected.nonce,
          idTokenExpected: true,
        })
        const { email, email_verified } = (tokens.claims() ?? {}) as Readonly<Record<string, unknown>>
        if (typeof email !== 'string' || email_verified !== true)
          return { is: 'problem', problem: 'oidc_email_unverified', cause: undefined }
        const { returnTo, asks } = expected
        return { is: 'known', email: email.toLowerCase(), returnTo, asks }
      } catch (cause) {
        const unavailable = cause instanceof Refusal && cause.code === 'oidc_unavailable'
        return { is: 'problem', problem: unavailable ? 'oidc_unavailable' : 'oidc_refused', cause }
      }
    },
    /** While a verified person chooses a workspace. */
    choice: {
      begin: (verified: Verified): Promise<string> => ceremonies.begin('choice', verified),
      find: (ceremony: string) => ceremonies.find<Verified>('choice', ceremony),
      end: (ceremony: string) => ceremonies.end<Verified>('choice', ceremony),
    },
  }
}

const DISCOVERY_SECONDS = 10

async function discover({ clientId, clientSecret }: OidcConfig, issuer: URL): Promise<Configuration> {
  const oauth = await client()
  // The settings allow http for localhost only.
  const execute = issuer.protocol === 'http:' ? [oauth.allowInsecureRequests] : []
  return oauth.discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: DISCOVERY_SECONDS })
}
