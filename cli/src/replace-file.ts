import { chmodSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'

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
