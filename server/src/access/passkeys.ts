import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { timestamp, type Clock } from '../runtime/clock.ts'
import type { PasskeysTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { CEREMONY_MS, type Ceremonies } from './ceremonies.ts'
import type { ConsolePlace } from './console-place.ts'
import { createHash } from 'node:crypto'
import { isFound } from '../database/questions.ts'
import type { Unit } from '../database/unit.ts'

/** A passkey that is not assigned to a member yet. */
type NewPasskey = Omit<PasskeysTable, 'member_id' | 'label' | 'created_at' | 'last_used_at'>

interface PasskeyOwner {
  /** ID of the invitation or member that the registration is bound to. */
  readonly id: string
  readonly email: string
  readonly workspace: string
  /** Existing passkeys, which authenticators must not duplicate. */
  readonly known: readonly Pick<PasskeysTable, 'passkey_id' | 'transports'>[]
}

interface PasskeysOptions {
  readonly db: Db
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

export function passkeys({ db, clock, ceremonies, place }: PasskeysOptions) {
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
    startRegistration: async ({ id, email, workspace, known }: PasskeyOwner) => {
      const { generateRegistrationOptions } = await webauthn()
      const options = await generateRegistrationOptions({
        rpName: 'kitseal',
        rpID: domain(),
        userName: email,
        userDisplayName: `${email} (${workspace})`,
        userID: new TextEncoder().encode(id),
        timeout: CEREMONY_MS,
        attestationType: 'none',
        excludeCredentials: known.map(({ passkey_id, transports }) => ({
          id: passkey_id,
          transports: JSON.parse(transports) as string[],
        })),
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
      if (!verified.verified || expected.ownerId !== ownerId) throw refused(undefined)
      const { credential, credentialBackedUp } = verified.registrationInfo
      return {
        passkey_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: JSON.stringify(knownTransports(credential.transports)),
        backed_up: credentialBackedUp ? 1 : 0,
      }
    },
    startSignIn: async () => {
      const { generateAuthenticationOptions } = await webauthn()
      const options = await generateAuthenticationOptions({
        rpID: domain(),
        timeout: CEREMONY_MS,
        userVerification: 'required',
      })
      const expected = { challenge: options.challenge } satisfies SigningIn
      return { ceremony: await ceremonies.begin('sign_in', expected), options }
    },
    /** Throws `sign_in_failed` if the response is not valid, without saying why. */
    signIn: async (ceremony: string, response: object) => {
      const { challenge } = await ceremonies.end<SigningIn>('sign_in', ceremony)
      const { id } = response as { readonly id?: unknown }
      const row = typeof id === 'string' ? await findPasskey(db, id) : undefined
      if (row === undefined) throw failed(undefined)
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
          counter: Number(row.counter),
        },
      }).catch((cause: unknown) => {
        throw failed(cause)
      })
      if (!verified.verified) throw failed(undefined)
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

interface SigningIn {
  readonly challenge: string
}

const findPasskey = (db: Db, id: string): Promise<PasskeysTable | undefined> =>
  db
    .selectFrom('passkeys')
    .innerJoin('members', 'members.member_id', 'passkeys.member_id')
    .selectAll('passkeys')
    .where('passkey_id', '=', id)
    .where('members.removed_at', 'is', null)
    .executeTakeFirst()

const TRANSPORT = /^[a-z-]{1,20}$/

/** Drops malformed transport hints. */
const knownTransports = (transports: unknown): readonly string[] =>
  Array.isArray(transports)
    ? transports
        .filter((each): each is string => typeof each === 'string' && TRANSPORT.test(each))
        .slice(0, 10)
    : []

const refused = (cause: unknown): Refusal =>
  new Refusal('passkey_refused', 'The passkey could not be registered. Try again.', { cause })

export const failed = (cause: unknown): Refusal =>
  new Refusal('sign_in_failed', 'Sign-in failed. Use a passkey that is registered with this console.', {
    cause,
  })

export const passkeysOf = (db: Db, memberId: MemberId): Promise<PasskeysTable[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .orderBy('passkey_id')
    .execute()

export async function addPasskey(unit: Unit, memberId: MemberId, made: NewPasskey, label: string) {
  const { db, at } = unit
  if (await isFound(db.selectFrom('passkeys').select('label').where('passkey_id', '=', made.passkey_id)))
    throw new Refusal('passkey_refused', 'This passkey is already registered.')
  const row = { ...made, member_id: memberId, label, created_at: at, last_used_at: null }
  await db.insertInto('passkeys').values(row).execute()
  await unit.record('passkey.added', memberId, { label })
  return row
}

/** For URLs, because WebAuthn IDs can be very long. */
export const shortPasskeyId = ({ passkey_id }: Pick<PasskeysTable, 'passkey_id'>): string =>
  `pk_${createHash('sha256').update(passkey_id).digest('base64url').slice(0, 27)}`

export async function labelPasskey(unit: Unit, memberId: MemberId, shortId: string, label: string) {
  const row = await ownPasskey(unit.db, memberId, shortId)
  await unit.db.updateTable('passkeys').set({ label }).where('passkey_id', '=', row.passkey_id).execute()
  await unit.record('passkey.renamed', memberId, { from: row.label, to: label })
  return { ...row, label }
}

async function ownPasskey(trx: Db, memberId: MemberId, shortId: string): Promise<PasskeysTable> {
  const row = (await passkeysOf(trx, memberId)).find((each) => shortPasskeyId(each) === shortId)
  if (row === undefined)
    throw new Refusal('passkey_not_found', 'Passkey not found. It may have been removed.')
  return row
}

/** `mayBeLast` allows removing the last passkey, if there is another way to sign in. */
export async function removePasskey(unit: Unit, memberId: MemberId, shortId: string, mayBeLast: boolean) {
  const row = await ownPasskey(unit.db, memberId, shortId)
  await unit.record('passkey.removed', memberId, { label: row.label })
  await unit.db.deleteFrom('passkeys').where('passkey_id', '=', row.passkey_id).execute()
  const left = await passkeysOf(unit.db, memberId)
  if (left.length === 0 && !mayBeLast)
    throw new Refusal('last_passkey', 'This is your only passkey. Add another one before you remove it.')
}
