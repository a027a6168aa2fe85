import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: what is in a link or a cookie. The store keeps its hash, which needs no salt to be safe. */
export function makeSecret(): { readonly text: string; readonly sha256: string } {
  const text = randomBytes(32).toString('base64url')
  return { text, sha256: secretHash(text) }
}

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** Undefined where the text is no secret of ours: it costs no look-up. */
export const readSecret = (text: string | undefined): string | undefined =>
  text !== undefined && SECRET.test(text) ? secretHash(text) : undefined

const secretHash = (text: string): string => createHash('sha256').update(text).digest('hex')
