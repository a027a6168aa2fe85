import { hex } from '@kitseal/kit'

/** For `Idempotency-Key`: whatever is sent under the same one is done once. */
export const randomKey = (): string => hex(crypto.getRandomValues(new Uint8Array(16)))
