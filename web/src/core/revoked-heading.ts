import { verdictHeading } from '@kitseal/kit/internal'
import { t } from './texts.ts'

/** "Signing key revoked on 2026-05-05", as every verifier says it. */
export const revokedHeading = (revokedAt: string): string =>
  verdictHeading({ verdict: 'key_revoked', signer: { revoked_at: revokedAt } }, t)
