import { describeError, InputError } from './input-error.ts'
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

/** Writes what a command was asked for. Throws InputError. */
export function writeOutput(path: string, bytes: Uint8Array): void {
  try {
    writeNewFile(path, bytes)
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new InputError(`${path} already exists. Choose another name with --out.`)
    throw new InputError(`cannot write ${path}: ${describeError(error)}`)
  }
}
