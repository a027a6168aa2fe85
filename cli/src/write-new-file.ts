import { rmSync, writeFileSync } from 'node:fs'

/** Writes a file that is not there yet, whole or not at all: not even one that appeared this moment is overwritten. */
export function writeNewFile(path: string, content: Uint8Array | string, mode = 0o666): void {
  try {
    writeFileSync(path, content, { mode, flag: 'wx' })
  } catch (error) {
    if ((error as { syscall?: string }).syscall !== 'open') rmSync(path, { force: true })
    throw error
  }
}
