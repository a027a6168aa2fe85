/** Whether this browser can check Ed25519 signatures. Without it every kit fails. */
export async function supportsEd25519(): Promise<boolean> {
  try {
    // The encoded base point: any valid public key works.
    const key = new Uint8Array(32).fill(0x66)
    key[0] = 0x58
    await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify'])
    return true
  } catch {
    return false
  }
}
