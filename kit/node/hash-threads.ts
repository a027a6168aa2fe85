import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Hashed, ZipOrder } from '../src/encoding/zip-content.ts'
import type { ZipEntry } from '../src/encoding/zip-format.ts'

/** Threads that start before their task is known: starting one takes as long as verifying several small kits. */
export type HashThreads = ReturnType<typeof startThreads>

/** One thread for each core beside this one. */
export function startThreads() {
  const workers = Array.from({ length: availableParallelism() - 1 }, startThread)
  return {
    hash: (task: SharedTask): readonly Promise<readonly Hashed[]>[] =>
      workers.slice(0, task.batches.length - 1).map((worker) => hashIn(worker, task)),
    [Symbol.dispose]: () => {
      for (const worker of workers) void worker.terminate()
    },
  }
}

function hashIn(worker: Worker, task: SharedTask): Promise<readonly Hashed[]> {
  // Not Promise.withResolvers: the published package supports Node 20.
  return new Promise((resolve, reject) => {
    worker.once('message', (hashed: readonly Hashed[]) => {
      worker.unref()
      resolve(hashed)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a hashing thread exited unexpectedly')))
    worker.ref()
    worker.postMessage(task)
  })
}

function startThread(): Worker {
  const worker = new Worker(threadFile())
  // An idle thread must not keep the process alive, and its errors matter only while it hashes.
  worker.on('error', () => undefined)
  worker.unref()
  return worker
}

/** The file beside this one, with the same extension. */
function threadFile(): URL {
  const ending = /\.[a-z]+$/.exec(import.meta.url)?.[0] ?? '.ts'
  // Beside a bundle it is CommonJS, which loads faster.
  return new URL(`./hash-thread${ending === '.mjs' ? '.cjs' : ending}`, import.meta.url)
}

/** What to hash. Sent to threads, so it holds only data. */
export type HashTask = ZipTask | FilesTask

export interface ZipTask {
  readonly kind: 'zip'
  readonly path: string
  readonly entries: readonly ZipEntry[]
  readonly end: number
  readonly order: ZipOrder
}

interface FilesTask {
  readonly kind: 'files'
  readonly files: readonly FileToHash[]
  readonly checksums: readonly Checksum[]
}

export type Checksum = 'sha256' | 'crc32'

export interface SharedTask {
  readonly task: HashTask
  readonly batches: readonly Batch[]
  readonly shared: SharedArrayBuffer
}

/** Neighbouring items of a list, from `from` up to `to`. */
export interface Batch {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

export interface FileToHash {
  readonly path: string
  /** Its path on this machine. */
  readonly diskPath: string
  readonly sizeBytes: number
}
