import type { TrustedKeySet } from '@kitseal/kit/internal'
import type { Context } from './context.ts'

export interface OwnKeysContext extends Pick<Context, 'signingKeys'> {
  readonly config: Pick<Context['config'], 'issuer'>
  /** Available once the service is listening. */
  issuer(): string
}

/**
 * The service's keys, which count only for receipts that name this service. Without KITSEAL_ISSUER the issuer is the
 * address of the node, which changes, so receipts with an earlier address are accepted.
 */
export async function ownKeys({ signingKeys, config, issuer }: OwnKeysContext): Promise<TrustedKeySet> {
  const { keys, revoked_keys: revoked } = await signingKeys.publicKeys()
  return {
    keys,
    revoked,
    refused: [],
    source: 'own',
    address: issuer(),
    issuer: issuer(),
    verifiesOtherIssuers: config.issuer === undefined,
  }
}
