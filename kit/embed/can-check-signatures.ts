/** Whether this browser knows Ed25519; one that does not can only say FAIL, and its user should know why. */
export async function canCheckSignatures(): Promise<boolean> {
  try {
    // The base point, encoded: any valid public key would do.
    const key = new Uint8Array(32).fill(0x66)
    key[0] = 0x58
    await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify'])
    return true
  } catch {
    return false
  }
}
