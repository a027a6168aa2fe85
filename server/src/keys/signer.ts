/** Signs with a private key, which never leaves its provider. */
export interface Signer {
  readonly kid: string
  /** The public key, base64url. */
  readonly x: string
  /** The raw 64-byte Ed25519 signature over `message`. */
  sign(message: Uint8Array): Promise<Uint8Array>
}

export type KeyProviderName = 'file' | 'pkcs11' | 'database'

export interface CreatedKey {
  readonly kid: string
  readonly x: string
  /** Where the provider finds the private key: a file name, a token object's ID or a row. Not secret. */
  readonly reference: string
}

/** Creates and stores private keys. */
export interface KeyProvider {
  readonly name: KeyProviderName
  /** Creates a key pair. Durable once the promise resolves. */
  create(): Promise<CreatedKey>
  /** Opens the private key and checks that it belongs to `x`. Throws `KeyUnusable`. */
  open(key: CreatedKey): Promise<Signer>
  /** Destroys the private key, if it exists. */
  destroy(reference: string): Promise<void>
  close(): Promise<void>
}

/** The private key cannot be used. The message tells the operator why and what to do. */
export class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable'
}

/** Opens a key with the provider that stores it. `what` names it in messages, and `instead` says what to do without the provider. */
export async function openKey(
  providers: readonly KeyProvider[],
  key: CreatedKey & { readonly provider: string },
  what: string,
  instead = '',
): Promise<Signer> {
  const provider = providers.find(({ name }) => name === key.provider)
  if (provider === undefined)
    throw new KeyUnusable(
      `${what} is stored by the ${key.provider} provider, which is not configured${instead}`,
    )
  return provider.open(key)
}
