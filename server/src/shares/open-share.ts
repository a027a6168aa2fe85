import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { timestamp } from '../runtime/clock.ts'
import { readCookie } from '../access/console-place.ts'
import { addressGroup } from '../http/addresses.ts'
import { rateRefusal, TokenBuckets } from '../http/rate-limits.ts'
import type { KitId, LinkId, ShareId } from '../runtime/identifiers.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { isReplaced, readLink } from '../database/links.ts'
import { Refusal } from '../refusals.ts'
import { recordView } from './record-access.ts'
import { findShares, kitsOf, type Share, type ShareContext, statusOf } from './share.ts'

/** Of a path below `/s/TOKEN`. */
export const paramsOf = ({ params }: FastifyRequest) =>
  params as { readonly token: string; readonly kit_id?: string }

/** A share whose token and password are right. */
export interface OpenShare {
  readonly share: Share
  /** The only kit of a share. Null for a room. */
  readonly kitId: KitId | null
  readonly linkId: LinkId
  /** Whose link it is. Null for anyone's. */
  readonly recipient: string | null
}

export interface OpenKit extends OpenShare {
  readonly kitId: KitId
  readonly kit: KitRecord
}

export type ShareDoor = ReturnType<typeof shareDoor>

const ANYONE = { actor: { is: 'anonymous' } } as const

export const SHARE_COOKIE = 'kitseal-share'
/** By share and network, and by share. On each node. */
const TRIES_PER_MINUTE = 5
const TRIES_OF_ALL_PER_MINUTE = 60
const MAX_REMEMBERED = 1000

export function shareDoor(ctx: ShareContext) {
  const { db, clock } = ctx
  const [tries, triesOfAll] = [TRIES_PER_MINUTE, TRIES_OF_ALL_PER_MINUTE].map(
    (perMinute) => new TokenBuckets(perMinute, clock),
  ) as [TokenBuckets, TokenBuckets]
  const memory = rightPasswords()

  /** By the token alone. Throws if the share is unknown, expired or revoked. Reads the database every time. */
  async function find(token: string): Promise<OpenShare> {
    const link = await readLink(db, 'share', token)
    const id = (link?.subject_id ?? '') as ShareId
    const [share] = await ctx.units.read(ANYONE, (reader) =>
      findShares(reader, (all) => all.where('shares.share_id', '=', id)),
    )
    if (link === undefined || share === undefined)
      throw new Refusal('share_not_found', 'No share has this link. Check that you copied all of it.')
    if (link.revoked_at !== null && (await isReplaced(db, link)))
      throw new Refusal(
        'share_replaced',
        'The sender replaced this link with a new one. Use the newest link you have, or ask for it.',
      )
    const status = link.revoked_at === null ? statusOf(share, timestamp(clock.now())) : 'revoked'
    if (status === 'revoked')
      throw new Refusal('share_revoked', 'This share was revoked by its sender. Ask for a new link.')
    if (status === 'expired')
      throw new Refusal(
        'share_expired',
        `This share expired on ${share.expires_at.slice(0, 10)}. Ask for a new link.`,
        { args: { expires: share.expires_at } },
      )
    const kitId = share.title === null ? share.kit_id : null
    return { share, kitId, linkId: link.link_id, recipient: link.recipient }
  }

  /** Throws if the password is wrong, or was tried too often. */
  async function checkPassword(found: OpenShare, password: string, ip: string): Promise<void> {
    const { share_id, password: stored } = found.share
    if (stored === null || memory.has(stored, password)) return
    const waitMs = Math.max(triesOfAll.take(share_id), tries.take(`${share_id} ${addressGroup(ip)}`))
    const refusal = rateRefusal(waitMs, 'attempts')
    if (refusal !== undefined) throw refusal
    if (await isPassword(password, stored)) return memory.add(stored, password)
    await recordView(ctx, { ...found, kind: 'password_refused', name: null, ip })
    throw new Refusal('share_password_wrong', 'The password is wrong.')
  }

  /** Checks the password too: from the cookie, or from HTTP Basic authentication. */
  async function open(request: FastifyRequest): Promise<OpenShare> {
    const found = await find(paramsOf(request).token)
    const { share_id, password } = found.share
    if (
      password !== null &&
      !isUnlocked(share_id, password, readCookie(request.headers.cookie, SHARE_COOKIE), clock.now())
    ) {
      const given = basicPassword(request.headers.authorization)
      if (given === undefined)
        throw new Refusal('share_password_required', 'This share is protected by a password.')
      await checkPassword(found, given, request.ip)
    }
    return found
  }

  return {
    find,
    checkPassword,
    open,
    /** With the kit of the share, or the one of the room that the address names. */
    async openKit(request: FastifyRequest): Promise<OpenKit> {
      const opened = await open(request)
      const { share, kitId: only } = opened
      const asked = paramsOf(request).kit_id
      const kitId = only === null ? (await kitsOf(db, share)).find((each) => each === asked) : only
      if (kitId === undefined || (only !== null && asked !== undefined)) throw notInRoom()
      const kit = await ctx.kits.find(kitId)
      if (kit === undefined) throw new Error(`kit ${kitId} of share ${share.share_id} is missing`)
      return { ...opened, kitId, kit }
    },
  }
}

/** The answer does not say whether there is such a kit elsewhere. */
export const notInRoom = (): Refusal => new Refusal('kit_not_found', 'This room has no kit with this ID.')

/** `curl -u :PASSWORD`. The user name is ignored. */
function basicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^Basic ([\w+/=-]{1,2000})$/i.exec(authorization ?? '')?.[1]
  const pair = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
  return pair?.includes(':') === true ? pair.slice(pair.indexOf(':') + 1) : undefined
}

/** Remembers right passwords, as MACs with a key of this process, because checking one is slow on purpose. */
function rightPasswords() {
  const key = randomBytes(32)
  const macs = new Set<string>()
  const macOf = (stored: string, password: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([stored, password.trim().normalize('NFC')]))
      .digest('base64url')
  return {
    has: (stored: string, password: string): boolean => macs.has(macOf(stored, password)),
    add: (stored: string, password: string): void => {
      macs.add(macOf(stored, password))
      const [oldest] = macs
      if (macs.size > MAX_REMEMBERED && oldest !== undefined) macs.delete(oldest)
    },
  }
}

/** 32 MiB and about 100 ms. The token in the link is needed as well. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const
const KEY_BYTES = 32

/** `scrypt$SALT$HASH`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt)
  return `scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('$')
  const expected = Buffer.from(hash, 'base64url')
  const derived = await derive(password, Buffer.from(salt, 'base64url'))
  return expected.length === KEY_BYTES && timingSafeEqual(derived, expected)
}

function derive(password: string, salt: Uint8Array): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const normalized = password.trim().normalize('NFC')
  scrypt(normalized, salt, KEY_BYTES, COST, (error, key) => (error === null ? resolve(key) : reject(error)))
  return promise
}

/** For a cookie: proves that the password of this share was given. Stored nowhere, and void with the share. */
export function unlockValue(shareId: string, stored: string, untilMs: number): string {
  const mac = createHmac('sha256', stored).update(`${shareId} ${untilMs}`).digest('base64url')
  return `${untilMs}.${mac}`
}

function isUnlocked(shareId: string, stored: string, value: string | undefined, nowMs: number): boolean {
  const until = Number(value?.split('.', 1)[0])
  if (value === undefined || !Number.isSafeInteger(until) || until <= nowMs) return false
  const [given, expected] = [value, unlockValue(shareId, stored, until)].map((text) => Buffer.from(text))
  return given !== undefined && given.length === expected?.length && timingSafeEqual(given, expected)
}
