import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { timestamp, type Clock } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { CEREMONY_MS, type Ceremonies } from './ceremonies.ts'
import type { ConsolePlace } from './console-place.ts'
import { createHash } from 'node:crypto'
import type { RowOf } from '../database/table.ts'
import type { Reader, Unit, Units } from '../database/unit.ts'
import { workspaceTables } from '../database/workspace-tables.ts'

const { passkeys: passkeyTable } = workspaceTables

export type Passkey = RowOf<typeof passkeyTable>

/** A passkey that is not assigned to a member yet. */
type NewPasskey = Omit<Passkey, 'member_id' | 'label' | 'created_at' | 'last_used_at'>

interface PasskeyOwner {
  /** ID of the invitation or member that the registration is bound to. */
  readonly id: string
  readonly email: string
  readonly workspace: string
  /** Whose passkeys authenticators must not duplicate. */
  readonly memberId: MemberId | undefined
}

interface PasskeysOptions {
  readonly db: Db
  readonly units: Units
  readonly clock: Clock
  readonly ceremonies: Ceremonies
  place(): ConsolePlace
}

/** Loaded on first use, because it is large. */
const webauthn = () => import('@simplewebauthn/server')

/** ES256, EdDSA and RS256. */
const ALGORITHMS = [-7, -8, -257]

/** WebAuthn registration and authentication, with user verification and discoverable credentials. */
export type Passkeys = ReturnType<typeof passkeys>

const ANYONE = { actor: { is: 'anonymous' } } as const

export function passkeys({ db, units, clock, ceremonies, place }: PasskeysOptions) {
  const domain = (): string => {
    const { passkeyDomain } = place()
    if (passkeyDomain === undefined)
      throw new Refusal(
        'passkey_refused',
        'Passkeys need a domain name, but the issuer URL of this service has an IP address.',
      )
    return passkeyDomain
  }
  return {
    startRegistration: async ({ id, email, workspace, memberId }: PasskeyOwner) => {
      const known =
        memberId === undefined ? [] : await units.read(ANYONE, (reader) => passkeysOf(reader, memberId))
      const { generateRegistrationOptions } = await webauthn()
      const options = await generateRegistrationOptions({
        rpName: 'kitseal',
        rpID: domain(),
        userName: email,
        userDisplayName: `${email} (${workspace})`,
        userID: new TextEncoder().encode(id),
        timeout: CEREMONY_MS,
        attestationType: 'none',
        excludeCredentials: known.map((each) => ({ id: each.passkey_id, transports: each.transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      })
      const expected = { challenge: options.challenge, ownerId: id } satisfies Registration
      return { ceremony: await ceremonies.begin('register', expected), options }
    },
    /** Throws `passkey_refused` if the response is not valid. */
    register: async (ownerId: string, ceremony: string, response: object): Promise<NewPasskey> => {
      const expected = await ceremonies.end<Registration>('register', ceremony)
      const { verifyRegistrationResponse } = await webauthn()
      const verified = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: expected.challenge,
        expectedOrigin: [...place().origins],
        expectedRPID: domain(),
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch((cause: unknown) => {
        throw refused(cause)
      })
      if (!verified.verified || expected.ownerId !== ownerId) throw refused()
      const { credential, credentialBackedUp } = verified.registrationInfo
      return {
        passkey_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: knownTransports(credential.transports),
        backed_up: credentialBackedUp,
      }
    },
    startSignIn: async () => {
      const { generateAuthenticationOptions } = await webauthn()
      const options = await generateAuthenticationOptions({
        rpID: domain(),
        timeout: CEREMONY_MS,
        userVerification: 'required',
      })
      const { challenge } = options
      return { ceremony: await ceremonies.begin('sign_in', { challenge }), options }
    },
    /** Throws `sign_in_failed` if the response is not valid, without saying why. */
    signIn: async (ceremony: string, response: object) => {
      const { challenge } = await ceremonies.end<Pick<Registration, 'challenge'>>('sign_in', ceremony)
      const { id } = response as { readonly id?: unknown }
      const row = typeof id === 'string' ? await findPasskey(db, id) : undefined
      if (row === undefined) throw signInFailed()
      const { verifyAuthenticationResponse } = await webauthn()
      const verified = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: [...place().origins],
        expectedRPID: domain(),
        requireUserVerification: true,
        credential: {
          id: row.passkey_id,
          publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
          counter: row.counter,
        },
      }).catch((cause: unknown) => {
        throw signInFailed(cause)
      })
      if (!verified.verified) throw signInFailed()
      const { newCounter, credentialBackedUp } = verified.authenticationInfo
      return {
        memberId: row.member_id,
        /** Updates counter and last use. False if a concurrent sign-in did so first. */
        record: async (trx: Db) => {
          const { numUpdatedRows } = await trx
            .updateTable('passkeys')
            .set({
              counter: newCounter,
              backed_up: credentialBackedUp ? 1 : 0,
              last_used_at: timestamp(clock.now()),
            })
            .where('passkey_id', '=', row.passkey_id)
            .where('counter', '=', row.counter)
            .executeTakeFirst()
          return numUpdatedRows === 1n
        },
      }
    },
  }
}

interface Registration {
  readonly challenge: string
  readonly ownerId: string
}

const findPasskey = (db: Db, id: string) =>
  db
    .selectFrom('passkeys')
    .innerJoin('members', 'members.member_id', 'passkeys.member_id')
    .selectAll('passkeys')
    .where('passkey_id', '=', id)
    .where('members.removed_at', 'is', null)
    .executeTakeFirst()

const TRANSPORT = /^[a-z-]{1,20}$/

/** Drops malformed transport hints. */
const knownTransports = (transports: unknown): string[] =>
  [transports]
    .flat()
    .filter((each): each is string => typeof each === 'string' && TRANSPORT.test(each))
    .slice(0, 10)

const refused = (cause?: unknown): Refusal =>
  new Refusal('passkey_refused', 'The passkey could not be registered. Try again.', { cause })

export const signInFailed = (cause?: unknown): Refusal =>
  new Refusal('sign_in_failed', 'Sign-in failed. Use a passkey that is registered with this console.', {
    cause,
  })

export const passkeysOf = (reader: Reader, member_id: MemberId): Promise<readonly Passkey[]> =>
  reader.rows(passkeyTable, { member_id }).orderBy('created_at').orderBy('passkey_id').all()

export async function addPasskey(
  unit: Unit,
  member_id: MemberId,
  made: NewPasskey,
  label: string,
): Promise<Passkey> {
  const known = unit.rows(passkeyTable, { passkey_id: made.passkey_id })
  if ((await known.first()) !== undefined)
    throw new Refusal('passkey_refused', 'This passkey is already registered.')
  await unit.record('passkey.added', member_id, { label })
  return unit.insert(passkeyTable, { ...made, member_id, label })
}

/** For URLs, because WebAuthn IDs can be very long. */
export const shortPasskeyId = ({ passkey_id }: Passkey): string =>
  `pk_${createHash('sha256').update(passkey_id).digest('base64url').slice(0, 27)}`

export async function labelPasskey(unit: Unit, memberId: MemberId, shortId: string, label: string) {
  const { passkey_id, label: from } = await ownPasskey(unit, memberId, shortId)
  await unit.record('passkey.renamed', memberId, { from, to: label })
  return unit.update(passkeyTable, passkey_id, { label })
}

async function ownPasskey(unit: Unit, memberId: MemberId, shortId: string): Promise<Passkey> {
  const row = (await passkeysOf(unit, memberId)).find((each) => shortPasskeyId(each) === shortId)
  if (row === undefined)
    throw new Refusal('passkey_not_found', 'Passkey not found. It may have been removed.')
  return row
}

/** `mayBeLast` allows removing the last passkey, if there is another way to sign in. */
export async function removePasskey(unit: Unit, memberId: MemberId, shortId: string, mayBeLast: boolean) {
  const { passkey_id, label } = await ownPasskey(unit, memberId, shortId)
  await unit.record('passkey.removed', memberId, { label })
  await unit.delete(passkeyTable, passkey_id)
  if (!mayBeLast && (await passkeysOf(unit, memberId)).length === 0)
    throw new Refusal('last_passkey', 'This is your only passkey. Add another one before you remove it.')
}
