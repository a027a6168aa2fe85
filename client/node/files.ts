import {
  createReadStream,
  statSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename } from 'node:path'
import type { Evidence } from '../src/multipart.ts'
import { nodeHost, openKit } from '@kitseal/kit/node'
import type { KitSink } from '../src/download.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * A file on disk as evidence. It is streamed during the upload, never read into memory as a whole.
 *
 * @example
 * ```ts
 * import { createClient } from '@kitseal/client'
 * import { evidenceFile } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * const { submission_id } = await client.createSubmission({ label: 'Access review' })
 * await client.uploadEvidence(submission_id, [evidenceFile('evidence/users.csv')])
 * ```
 */
export function evidenceFile(path: string, name: string = basename(path)): Evidence {
  const { size, mtimeMs } = statSync(path)
  const readFrom = (start: number) => createReadStream(path, { start, highWaterMark: CHUNK_BYTES })
  return { name, sizeBytes: size, read: () => readFrom(0), readFrom, resumeKey: `modified ${mtimeMs}` }
}

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
