import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { isChecksumList } from '../src/checksums/check-checksums.ts'
import { endingOf } from '../src/detect/file-endings.ts'
import { typesOfEnding } from '../src/file-types.ts'
import {
  type ContentFacts,
  type ContentToRead,
  receivedFacts,
  type SentFacts,
} from '../src/read/content-pass.ts'

/** A file on disk, under the name that it is examined by. */
export interface FileOnDisk {
  readonly name: string
  readonly diskPath: string
  readonly sizeBytes: number
}

/** What a thread gets. `claims` has a place for each file: 1 if a thread has begun to read it. */
export interface FilesToReadAhead {
  readonly files: readonly FileOnDisk[]
  readonly checksums: ContentToRead['checksums']
  readonly claims: Int32Array
}

export interface ReadAheadFile {
  readonly at: number
  /** Undefined if the examination must read it itself. */
  readonly facts: SentFacts | undefined
}

/** Less than this is read before a thread has started. */
const LARGE_BYTES = 48 * 1024 * 1024

/**
 * Reads texts on the other cores, from the last to the first, while the examination reads from the first to the last. What
 * a file shows does not depend on who read it: anything that uses a budget of the whole examination is left to it.
 * Undefined if it would not pay.
 */
export function startReadingAhead(
  all: readonly FileOnDisk[],
): (Disposable & { facts(name: string): Promise<ContentFacts | undefined> | undefined }) | undefined {
  const files = all.filter(({ name }) => isText(name) && !isChecksumList(name))
  const checksums = all.some(({ name }) => isChecksumList(name)) ? 'sha256 and crc32' : 'crc32'
  const threads = availableParallelism() - 1
  if (threads === 0 || files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) < LARGE_BYTES)
    return undefined
  const claims = new Int32Array(new SharedArrayBuffer(4 * files.length))
  const places = new Map(files.map(({ name }, at) => [name, at]))
  const settle: ((facts: SentFacts | undefined) => void)[] = []
  const results = files.map(
    (_, at) => new Promise<SentFacts | undefined>((resolve) => (settle[at] = resolve)),
  )
  const workers = Array.from({ length: threads }, () => startThread({ files, checksums, claims }))
  for (const worker of workers) {
    worker.on('message', ({ at, facts }: ReadAheadFile) => settle[at]?.(facts))
    // The examination reads what a failed thread did not.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      for (const resolve of settle) resolve(undefined)
    })
  }
  return {
    facts(name) {
      const at = places.get(name)
      if (at === undefined || Atomics.compareExchange(claims, at, 0, 1) === 0) return undefined
      return results[at]?.then((facts) => facts && receivedFacts(name, facts))
    },
    [Symbol.dispose]: () => {
      for (const worker of workers) void worker.terminate()
    },
  }
}

const isText = (name: string): boolean =>
  typesOfEnding(endingOf(name)).some(({ content }) => content === 'text')

function startThread(workerData: FilesToReadAhead): Worker {
  const ending = /\.[a-z]+$/.exec(import.meta.url)?.[0] ?? '.ts'
  return new Worker(new URL(`./read-thread${ending}`, import.meta.url), { workerData })
}
