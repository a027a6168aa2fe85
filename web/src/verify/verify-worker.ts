import { serveInWorker, type WorkerScope } from '@kitseal/kit/in-browser'

serveInWorker(globalThis as unknown as WorkerScope)
