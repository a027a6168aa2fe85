import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits for a link or cookie. The database stores its hash, which needs no salt. */
export function makeSecret(): { readonly text: string; readonly sha256: string } {
  const text = randomBytes(32).toString('base64url')
  return { text, sha256: secretHash(text) }
}

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** The hash of a secret. Undefined if the text is malformed. */
export const readSecret = (text: string | undefined): string | undefined =>
  text !== undefined && SECRET.test(text) ? secretHash(text) : undefined

const secretHash = (text: string): string => createHash('sha256').update(text).digest('hex')
