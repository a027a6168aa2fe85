import type { Checked, CheckMessage, CheckOrder, CheckReply, ChosenFile } from './check-worker.ts'
import type { PickedItems } from '@kitseal/kit/in-browser'

export interface RunningCheck {
  readonly done: Promise<Checked>
  stop(): void
}

/** How many files are handed to the worker before the page may do something else. */
export const FILES_AT_ONCE = 250

/** Checks files in a worker, which loads the rules on first use. */
export function checkInWorker(
  files: readonly ChosenFile[],
  order: CheckOrder,
  onProgress: (readBytes: number) => void = () => {},
): RunningCheck {
  const { promise, resolve, reject } = Promise.withResolvers<Checked>()
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('error', (event) => {
    worker.terminate()
    reject(new Error(event.message))
  })
  worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => {
    if (data.is === 'progress') return onProgress(data.readBytes)
    worker.terminate()
    if (data.is === 'done') resolve(data)
    else reject(new Error(data.message))
    return undefined
  })
  const send = (message: CheckMessage): void => worker.postMessage(message)
  let isStopped = false
  const hand = (from: number): void => {
    if (isStopped) return
    send({ is: 'files', files: files.slice(from, from + FILES_AT_ONCE) })
    if (from + FILES_AT_ONCE < files.length) setTimeout(hand, 0, from + FILES_AT_ONCE)
    else send({ is: 'check', ...order })
  }
  hand(0)
  const stop = (): void => {
    isStopped = true
    worker.terminate()
  }
  return { done: promise, stop }
}

export function chosenFiles({ files, folders }: PickedItems): readonly ChosenFile[] {
  return [
    ...files.map((file) => ({ name: file.name, file })),
    ...folders.flatMap(({ name, files: inside }) =>
      inside
        .filter(({ path }) => !isSystemFile(path))
        .map(({ path, file }) => ({ name: `${name}/${path}`, file })),
    ),
  ].map(({ name, file }) => ({ name: name.normalize('NFC'), file }))
}

const SLICE_MS = 12

/** Reads the size of each file, in slices: a browser looks it up on disk the first time, while the page waits. */
export async function readSizes(files: readonly ChosenFile[]): Promise<void> {
  let started = performance.now()
  for (const { file } of files) {
    void file.size
    if (performance.now() - started < SLICE_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    started = performance.now()
  }
}

/** Files that operating systems create in folders. */
const SYSTEM_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

const isSystemFile = (path: string): boolean => SYSTEM_FILES.has(path.split('/').at(-1) ?? '')

/**
 * Where an added file goes: in place of the one held file of its name in a folder, if there is just one. That is the mended
 * file, dropped without its folder.
 */
export function mendedPlace(name: string, held: readonly string[]): string {
  const [folder, own] = [name.slice(0, name.lastIndexOf('/') + 1), name.slice(name.lastIndexOf('/') + 1)]
  const places = held.filter((one) => one.startsWith(folder) && one.endsWith(`/${own}`))
  const [place] = places
  return place !== undefined && places.length === 1 && !held.includes(name) ? place : name
}

export const totalBytes = (files: readonly { readonly file: File }[]): number =>
  files.reduce((sum, { file }) => sum + file.size, 0)
