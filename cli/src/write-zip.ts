import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ZipLayout } from '@kitseal/kit'
import { removedByInterruption } from './interruption.ts'

const CHUNK_BYTES = 1024 * 1024

/** Writes a laid-out archive to a name of its own first: what is cut, or does not pass its check, leaves nothing. */
export async function writeZip(
  out: string,
  layout: ZipLayout,
  contentOf: (path: string) => Uint8Array | { readonly place: string },
  check: (path: string) => Promise<void>,
): Promise<void> {
  const making = `${out}.${process.pid}.part`
  let file = -1
  using _ = removedByInterruption(() => {
    file = openSync(making, 'wx')
    return making
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
    await check(making)
    renameSync(making, out)
  } finally {
    rmSync(making, { force: true })
  }
}

async function writeContent(
  file: number,
  content: Uint8Array | { readonly place: string },
  path: string,
  sizeBytes: number,
): Promise<void> {
  if (content instanceof Uint8Array) return writeAll(file, content)
  const source = openSync(content.place, 'r')
  try {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, sizeBytes + 1))
    let left = sizeBytes
    for (let got = readSync(source, chunk); got > 0; got = readSync(source, chunk)) {
      left -= got
      if (left < 0) break
      writeAll(file, chunk.subarray(0, got))
      // So that a Ctrl-C is heard.
      await nextTurn()
    }
    if (left !== 0) throw new Error(`${path} changed while it was sealed`)
  } finally {
    closeSync(source)
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
