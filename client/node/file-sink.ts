import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { nodeHost, openKit } from '@kitseal/kit/node'
import type { KitSink } from '../src/sinks.ts'

/**
 * Downloads into a file. It is written under a temporary name and renamed once it is complete and, if it is a kit,
 * verified.
 *
 * @example
 * ```ts
 * import { createClient, trustKeys } from '@kitseal/client'
 * import { fileSink } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example' })
 * const trust = trustKeys(await client.getKeys())
 * await client.downloadKit(process.env.KIT_ID ?? '', { trust, into: fileSink('downloaded.zip') })
 * ```
 */
export function fileSink(path: string): KitSink<string> {
  const temporary = `${path}.${process.pid}.part`
  // Opened before the download starts, so that an unwritable folder fails early.
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
    reset() {
      ftruncateSync(file, 0)
      position = 0
    },
    async open() {
      const kit = await openKit(temporary)
      return { ...kit, close: () => kit[Symbol.dispose]() }
    },
    commit() {
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
