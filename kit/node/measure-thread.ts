import { parentPort, workerData } from 'node:worker_threads'
import { measureRuns, type SharedTask } from './measure.ts'

const report = async (): Promise<void> => parentPort?.postMessage(await measureRuns(workerData as SharedTask))

void report()
