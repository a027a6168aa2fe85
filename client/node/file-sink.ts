import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { nodeHost, openKit } from '@kitseal/kit/node'
import type { KitSink } from '../src/sinks.ts'

/** Into a file that has its name only once it is whole and, where it is a kit, verified. */
export function fileSink(path: string): KitSink<string> {
  const temporary = `${path}.${process.pid}.part`
  // Opened before anything is asked for: where it cannot be written, nothing is downloaded.
  const file = openSync(temporary, 'wx', 0o600)
  let position = 0
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    host: nodeHost,
    write(bytes) {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at)
      position += bytes.length
    },
    clear() {
      ftruncateSync(file, 0)
      position = 0
    },
    async open() {
      const kit = await openKit(temporary)
      return { ...kit, close: () => kit[Symbol.dispose]() }
    },
    keep() {
      fsyncSync(file)
      close()
      renameSync(temporary, path)
      return path
    },
    discard() {
      close()
      rmSync(temporary, { force: true })
    },
  }
}
