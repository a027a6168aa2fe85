// The worker thread of the service, with faulty parsers.
import './faulty-parsers.ts'
await import('../src/work/work-thread.ts')
