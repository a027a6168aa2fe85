import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileSource } from '@kitseal/kit/internal/node'
import { removeOnInterrupt } from './interruption.ts'
import { tempFolderError } from './input-error.ts'

/** A temp folder for unpacked archives, created on first use and deleted on dispose. */
export function scratchFolder() {
  const opened: Disposable[] = []
  let folder: string | undefined
  let files = 0
  const make = (): string => {
    try {
      const made = removeOnInterrupt(() => mkdtempSync(join(tmpdir(), 'kitseal-check-')))
      opened.push(made)
      folder = made.path
      return folder
    } catch (error) {
      throw tempFolderError(error, 'unpack')
    }
  }
  return {
    async store(content: AsyncIterable<Uint8Array>) {
      const path = join(folder ?? make(), String(++files))
      await writeFile(path, content).catch((error: unknown) => {
        throw isWriteError(error) ? tempFolderError(error, 'unpack') : error
      })
      const file = fileSource(path)
      opened.push(file)
      // Copied, because a file source reuses its buffer.
      const read = (offset: number, length: number): Uint8Array =>
        (file.read(offset, length) as Uint8Array).slice()
      return {
        object: path,
        source: { sizeBytes: file.sizeBytes, read },
        discard: async () => rmSync(path, { force: true }),
      }
    },
    [Symbol.dispose]: () => {
      for (const one of opened) one[Symbol.dispose]()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Errors from reading the content are not about the temp folder. */
function isWriteError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read'
}
