// docs/decisions/0151
/** A private key that signs, wherever it lives. It never hands the private key out. */
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
  /** How the provider finds the private key again: a file name, a token object's id, the key of a row. Never secret. */
  readonly reference: string
}

/** A place where private keys are made and kept. */
export interface KeyProvider {
  readonly name: KeyProviderName
  /** Makes a key pair that survives a power cut by the time the promise resolves. */
  create(): Promise<CreatedKey>
  /** Finds the private key and proves, by a signature, that it belongs to `x`. Throws KeyUnusable with a mend. */
  open(key: CreatedKey): Promise<Signer>
  /** Destroys the private key. Destroying what is not there is no error. */
  destroy(reference: string): Promise<void>
  close(): Promise<void>
}

/** The private key can't be used; the message says why, and what the operator does about it. */
export class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable'
}
