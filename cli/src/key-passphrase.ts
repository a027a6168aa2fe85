import { readSecret } from '@kitseal/kit/internal/node'
import { InputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'

/** From KITSEAL_KEY_PASSPHRASE, or from the file that KITSEAL_KEY_PASSPHRASE_FILE names. */
export function keyPassphrase(env: Terminal['env']): string | undefined {
  try {
    return readSecret(env, 'KITSEAL_KEY_PASSPHRASE')
  } catch (error) {
    throw new InputError((error as Error).message)
  }
}
