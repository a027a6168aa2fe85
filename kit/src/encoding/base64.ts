import { base64url, decode, valuesOf } from './base64url.ts'

const VALUES = valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')

/** Encodes bytes as base64 with padding (RFC 4648, section 4). */
export function base64(bytes: Uint8Array): string {
  const text = base64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/**
 * Decodes base64, or returns undefined. Each value has one spelling: padding is required, and stray bits are rejected.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return decode(text.slice(0, text.length - padding), VALUES)
}
