import { parentPort, workerData } from 'node:worker_threads'
import { measureRuns, type SharedTask } from './measure.ts'

parentPort?.postMessage(await measureRuns(workerData as SharedTask))
