import { hex } from '@kitseal/kit/internal'

/** A value for `Idempotency-Key`. */
export const randomKey = (): string => hex(crypto.getRandomValues(new Uint8Array(16)))
