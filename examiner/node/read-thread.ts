import { parentPort, workerData } from 'node:worker_threads'
import { fileSource, nodeHost } from '@kitseal/kit/internal/node'
import { ContentPass, sentFacts, type SentFacts } from '../src/read/content-pass.ts'
import type { FileOnDisk, FilesToReadAhead, ReadAheadFile } from './read-ahead.ts'

/** Up to this, a source reads into one buffer again and again. */
const CHUNK_BYTES = 256 * 1024

const { files, checksums, claims } = workerData as FilesToReadAhead

async function readFromLast(): Promise<void> {
  for (let at = files.length - 1; at >= 0; at--) {
    const file = files[at]
    if (file === undefined || Atomics.compareExchange(claims, at, 0, 1) !== 0) continue
    const facts = await read(file).catch(() => undefined)
    parentPort?.postMessage({ at, facts } satisfies ReadAheadFile)
  }
}

void readFromLast()

/** Undefined for what only the examination can decide: a file that changes, or one that needs a part of its budgets. */
async function read({ name, diskPath, sizeBytes }: FileOnDisk): Promise<SentFacts | undefined> {
  using source = fileSource(diskPath)
  if (source.sizeBytes !== sizeBytes) return undefined
  let needsBudget = false
  const take = (): boolean => {
    needsBudget = true
    return false
  }
  const pass = new ContentPass({ name, sizeBytes, checksums, takeRecognising: take }, nodeHost)
  for (let at = 0; at < sizeBytes; at += CHUNK_BYTES)
    pass.push(await source.read(at, Math.min(CHUNK_BYTES, sizeBytes - at)))
  const facts = await pass.end()
  return needsBudget ? undefined : sentFacts(facts)
}
