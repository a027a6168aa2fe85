import { rmSync, writeFileSync } from 'node:fs'

/** How a private key is encrypted, if there is a passphrase. */
export function keyEncryption(passphrase: string | undefined) {
  return passphrase === undefined || passphrase === '' ? {} : { cipher: 'aes-256-cbc', passphrase }
}

/** Writes a new file, completely or not at all. Never overwrites. */
export function writeNewFile(path: string, content: Uint8Array | string, mode = 0o666): void {
  try {
    writeFileSync(path, content, { mode, flag: 'wx' })
  } catch (error) {
    if ((error as { syscall?: string }).syscall !== 'open') rmSync(path, { force: true })
    throw error
  }
}
