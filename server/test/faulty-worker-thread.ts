// A worker of the service, with faulty parsers.
import './faulty-parsers.ts'
await import('../src/work/worker-thread.ts')
