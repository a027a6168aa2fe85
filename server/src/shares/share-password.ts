import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** 32 MiB and about 100 ms. The token in the link is needed as well. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const
const KEY_BYTES = 32

/** `scrypt$SALT$HASH`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return ['scrypt', salt.toString('base64url'), (await derive(password, salt)).toString('base64url')].join(
    '$',
  )
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('$')
  const expected = Buffer.from(hash, 'base64url')
  const derived = await derive(password, Buffer.from(salt, 'base64url'))
  return expected.length === KEY_BYTES && timingSafeEqual(derived, expected)
}

function derive(password: string, salt: Uint8Array): Promise<Buffer> {
  const normalized = password.trim().normalize('NFC')
  return new Promise((resolve, reject) => {
    scrypt(normalized, salt, KEY_BYTES, COST, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

/** For a cookie: proves that the password of this share was given. Stored nowhere, and void with the share. */
export function unlockValue(shareId: string, stored: string, untilMs: number): string {
  const mac = createHmac('sha256', stored).update(`${shareId} ${untilMs}`).digest('base64url')
  return `${untilMs}.${mac}`
}

export function isUnlocked(
  shareId: string,
  stored: string,
  value: string | undefined,
  nowMs: number,
): boolean {
  const until = Number(value?.split('.', 1)[0])
  if (value === undefined || !Number.isSafeInteger(until) || until <= nowMs) return false
  const [given, expected] = [value, unlockValue(shareId, stored, until)].map((text) => Buffer.from(text))
  return given !== undefined && given.length === expected?.length && timingSafeEqual(given, expected)
}
