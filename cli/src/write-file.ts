import { describeError, InputError } from './input-error.ts'
import { rmSync, writeFileSync, chmodSync, realpathSync, renameSync } from 'node:fs'

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

/** Replaces a file atomically. If it is a symbolic link, its target is replaced, not the link. */
export function replaceFile(path: string, content: string | Uint8Array, mode?: number): void {
  const target = resolveLinks(path)
  const temporary = `${target}.${process.pid}.new`
  try {
    writeFileSync(temporary, content, { ...(mode !== undefined && { mode }), flush: true })
    if (mode !== undefined) chmodSync(temporary, mode)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

export function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
