import { NO_TRUST, type Trust } from '@kitseal/kit'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { pinsOf } from '../access/pins.ts'

export interface KitTrustContext {
  readonly signingKeys: SigningKeys
  readonly issuer: string
  /** Whether kits may name an earlier address of this service: KITSEAL_ISSUER is not set. */
  readonly verifiesOtherIssuers?: boolean | undefined
}

/** The keys that kits among the evidence are verified with: those of this service, and those that the workspace pins. */
export async function kitTrust(
  { signingKeys, issuer, verifiesOtherIssuers = false }: KitTrustContext,
  workspace: { readonly pins: string | null },
): Promise<Trust> {
  const { keys, revoked_keys: revoked } = await signingKeys.publicKeys()
  const own = { keys, revoked, refused: [], source: 'confirmed', issuer, verifiesOtherIssuers } as const
  return { ...NO_TRUST, keySets: [own], pins: pinsOf(workspace) }
}
