import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileSource } from '@kitseal/kit/node'
import { removedByInterruption } from './interruption.ts'
import { reason, UnreadableInput } from './unreadable-input.ts'

/** Where what is packed is unpacked while it is looked at; made when it is first needed, and gone in the end. */
export function scratchFolder() {
  const opened: Disposable[] = []
  let folder: string | undefined
  const make = (): string => {
    try {
      const made = removedByInterruption(() => mkdtempSync(join(tmpdir(), 'kitseal-check-')))
      opened.push(made)
      folder = made.path
      return folder
    } catch (error) {
      throw noPlace(error)
    }
  }
  return {
    async store(content: AsyncIterable<Uint8Array>) {
      const path = join(folder ?? make(), String(opened.length))
      await writeFile(path, content).catch((error: unknown) => {
        throw isOfWriting(error) ? noPlace(error) : error
      })
      const file = fileSource(path)
      opened.push(file)
      // A copy: what a file source gives is gone with its next read.
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

/** What goes wrong with the content itself is told otherwise. */
function isOfWriting(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read'
}

function noPlace(error: unknown): UnreadableInput {
  return new UnreadableInput(
    `nothing can be unpacked into ${tmpdir()}: ${reason(error)}; name another folder with TMPDIR`,
  )
}
