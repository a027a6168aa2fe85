// The work thread of the service, in which a test has parsers that break down.
import './faulty-parsers.ts'
await import('../src/work/work-thread.ts')
