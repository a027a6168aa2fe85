import { parentPort } from 'node:worker_threads'
import { measureRuns, type SharedTask } from './measure.ts'

const port = parentPort

const report = async (task: SharedTask): Promise<void> => port?.postMessage(await measureRuns(task))

port?.on('message', (task: SharedTask) => void report(task))
