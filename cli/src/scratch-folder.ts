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
    const made = tempFolder('check', 'unpack')
    opened.unshift(made)
    folder = made.path
    return folder
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
      for (const one of opened.toReversed()) one[Symbol.dispose]()
    },
  }
}

/** A temp folder that others cannot read, until this is disposed or the process is interrupted. */
export function tempFolder(name: string, verb?: string): { readonly path: string } & Disposable {
  try {
    const made = removeOnInterrupt(() => mkdtempSync(join(tmpdir(), `kitseal-${name}-`)))
    return {
      path: made.path,
      [Symbol.dispose]: () => {
        rmSync(made.path, { recursive: true, force: true })
        made[Symbol.dispose]()
      },
    }
  } catch (error) {
    throw tempFolderError(error, verb)
  }
}

/** Errors from reading the content are not about the temp folder. */
function isWriteError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read'
}
