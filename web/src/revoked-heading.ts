import { verdictHeading } from '@kitseal/kit/internal'
import { words } from '@kitseal/kit/in-browser/words'

/** "Signing key revoked on 2026-05-05", as every verifier says it. */
export const revokedHeading = (revokedAt: string): string =>
  verdictHeading({ verdict: 'key_revoked', signer: { revoked_at: revokedAt } }, words.kit)
