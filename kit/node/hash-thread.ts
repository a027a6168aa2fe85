import { parentPort } from 'node:worker_threads'
import { hashBatches } from './hash-files.ts'
import type { SharedTask } from './hash-threads.ts'

const hash = async (task: SharedTask): Promise<void> => parentPort?.postMessage(await hashBatches(task))

parentPort?.on('message', (task: SharedTask) => void hash(task))
