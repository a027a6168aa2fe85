import type { Configuration } from 'openid-client'
import { isFound, workspaceRow } from '../database/questions.ts'
import type { Db, MemberRole } from '../database/schema.ts'
import type { Service } from '../http/route.ts'
import { Refusal } from '../refusals.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { once } from '../runtime/promises.ts'
import type { OidcConfig } from '../settings/config.ts'
import type { Ceremonies } from './ceremonies.ts'
import type { ConsolePlace } from './console-place.ts'
import { acceptInvitation, invitationsFor } from './invitations.ts'
import { endAccess, findMember, members, membershipsWith } from './member-queries.ts'

/** Whose address was verified, and the console page to open. `asks`: which workspace, in any case. */
interface Verified {
  readonly email: string
  readonly returnTo: string
  readonly asks: boolean
}

export type OidcProblem = 'oidc_refused' | 'oidc_email_unverified' | 'oidc_unavailable'

type OidcOutcome =
  | ({ readonly is: 'known' } & Verified)
  | { readonly is: 'problem'; readonly problem: OidcProblem; readonly cause: unknown }

interface Expected extends Omit<Verified, 'email'> {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Loaded on first use. */
const client = () => import('openid-client')

/** Sign-in with an OpenID Connect provider: authorization code, PKCE, state and nonce. */
export type Oidc = ReturnType<typeof oidc>

export function oidc(config: OidcConfig, ceremonies: Ceremonies, place: () => ConsolePlace) {
  const issuer = new URL(config.issuer)
  /** Discovery is retried after a failure. */
  const provider = once(() =>
    discover(config, issuer).catch((cause: unknown) => {
      throw new Refusal(
        'oidc_unavailable',
        `${issuer.host} is unavailable. Try again, or sign in with a passkey.`,
        { cause, headers: { 'retry-after': '10' } },
      )
    }),
  )
  const callbackUrl = (): string => `${place().url}/api/oidc/callback`

  return {
    /** The host of the provider, shown on the sign-in button. */
    name: issuer.host,
    /** The authorization URL, and the ceremony ID for the cookie. */
    start: async (returnTo: string, asks: boolean) => {
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

interface SsoContext extends Service {
  readonly db: Db
  readonly clock: Clock
}

/** A workspace that single sign-on can open. `linked`: its member joined with a link, which may have been someone else. */
interface Choice {
  readonly workspaceId: WorkspaceId
  readonly name: string
  readonly role: MemberRole
  readonly is: 'member' | 'linked' | 'invited'
  readonly since: string
  /** When single sign-on last opened it. */
  readonly openedAt: string | null
}

/** What is offered to a person whose address the provider has verified. */
export async function choicesOf({ db, clock }: SsoContext, email: string): Promise<readonly Choice[]> {
  const joined = (await membershipsWith(db, email)).map((member): Choice => {
    const { workspace_id: workspaceId, name, role, created_at: since, sso_at: openedAt } = member
    return { workspaceId, name, role, is: openedAt === null ? 'linked' : 'member', since, openedAt }
  })
  const isMember = (id: WorkspaceId) => joined.some(({ workspaceId }) => workspaceId === id)
  const invited = (await invitationsFor(db, clock, email))
    .filter(({ workspace_id }) => !isMember(workspace_id))
    .map(async ({ workspace_id: workspaceId, role, created_at: since }): Promise<Choice> => {
      const { name } = await workspaceRow(db, workspaceId)
      return { workspaceId, name, role, is: 'invited', since, openedAt: null }
    })
  return [...joined, ...(await Promise.all(invited))]
}

/** The workspace opened last. Undefined if there is none, or if there are choices that the person has not seen yet. */
export function rememberedChoice(choices: readonly Choice[]): Choice | undefined {
  const [last] = choices.toSorted((a, b) => (b.openedAt ?? '').localeCompare(a.openedAt ?? ''))
  const seenAt = last?.openedAt ?? ''
  return seenAt !== '' && choices.every(({ openedAt, since }) => openedAt !== null || since < seenAt)
    ? last
    : undefined
}

/** Opens a workspace to the owner of an address, in the transaction that starts the session. */
export async function openBySso(
  { clock, units }: SsoContext,
  trx: Db,
  email: string,
  workspaceId: WorkspaceId,
): Promise<MemberId> {
  const known = await findMember(trx, workspaceId, email)
  const open = known === undefined ? await invitationsFor(trx, clock, email) : []
  const invitation = open.find(({ workspace_id }) => workspace_id === workspaceId)
  const memberId = known?.member_id ?? (invitation && (await acceptInvitation(units, trx, invitation)))
  if (memberId === undefined) throw cannotSwitch()
  const unit = units.within(trx, { workspaceId, actor: { is: 'member', memberId } })
  if (known?.sso_at === null) {
    await unit.record('member.changed', memberId, { single_sign_on: true })
    await endAccess(trx, memberId, unit.at)
  }
  await unit.update(members, memberId, { sso_at: unit.at })
  return memberId
}

export const cannotSwitch = (): Refusal =>
  new Refusal('member_not_found', 'You cannot switch to this workspace. Sign in to it instead.')

/** An address that single sign-on has proved is not taken with a link or a passkey, in any workspace. */
export async function rejectSsoAddress(provider: Oidc | undefined, db: Db, email: string): Promise<void> {
  if (provider !== undefined && (await signsInWithSso(db, email.toLowerCase())))
    throw new Refusal(
      'sso_required',
      `${email} signs in with single sign-on. Continue with ${provider.name}.`,
    )
}

export const signsInWithSso = (db: Db, email: string): Promise<boolean> =>
  isFound(
    db.selectFrom('members').select('member_id').where('email', '=', email).where('sso_at', 'is not', null),
  )
