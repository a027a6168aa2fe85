import { base64, fromBase64 } from '../encoding/base64.ts'

/** A note, checkpoint, proof, policy, tile or leaf that does not have its exact form. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError'
}

export function malformed(problem: string): never {
  throw new LogFormatError(problem)
}

/** A decimal without sign or leading zeros, at most 2^53 − 1. */
export function parseDecimal(text: string, what: string): number {
  // Sixteen digits bound the value before it is converted.
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) malformed(`${what} is not a decimal number in range`)
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : malformed(`${what} is larger than 2^53 - 1`)
}

/** A SHA-256 in base64. */
export function parseHash(text: string, what: string): Uint8Array {
  const hash = text.length === 44 ? fromBase64(text) : undefined
  return hash?.length === 32 ? hash : malformed(`${what} is not a SHA-256 in base64`)
}

export function hashText(hash: Uint8Array): string {
  return hash.length === 32 ? base64(hash) : malformed('a hash is not 32 bytes')
}
