import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { ZipLayout } from '../src/encoding/zip-layout.ts'
import { fileChunks } from './file-source.ts'

/** Creates the temporary file, and removes it if the process is interrupted before the result is disposed. */
export type TemporaryFileGuard = (create: () => string) => Disposable

/** Writes an archive to a temporary file, which gets its name once `check` accepts it. A failure leaves nothing behind. */
export async function writeZip(
  out: string,
  layout: ZipLayout,
  contentOf: (path: string) => Uint8Array | { readonly diskPath: string },
  check: (path: string) => Promise<void>,
  guard: TemporaryFileGuard = unguarded,
): Promise<void> {
  const temporary = `${out}.${process.pid}.part`
  let file = -1
  using _ = guard(() => {
    file = openSync(temporary, 'wx')
    return temporary
  })
  try {
    try {
      for (const piece of layout.pieces(0, layout.sizeBytes)) {
        if ('bytes' in piece) writeAll(file, piece.bytes)
        else await writeContent(file, contentOf(piece.path), piece.path, piece.end)
      }
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    await check(temporary)
    renameSync(temporary, out)
  } finally {
    rmSync(temporary, { force: true })
  }
}

function unguarded(create: () => string): Disposable {
  create()
  return { [Symbol.dispose]: () => undefined }
}

async function writeContent(
  file: number,
  content: Uint8Array | { readonly diskPath: string },
  path: string,
  sizeBytes: number,
): Promise<void> {
  if (content instanceof Uint8Array) return writeAll(file, content)
  let left = sizeBytes
  for (const bytes of fileChunks(content.diskPath)) {
    left -= bytes.length
    if (left < 0) break
    writeAll(file, bytes)
    // Lets signal handlers run.
    await nextTick()
  }
  if (left !== 0) throw new Error(`${path} changed while it was sealed`)
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
