// A reporter for `node --test` that writes lines of JSON: what starts and finishes, at last the counts and the slowest
// test files. scripts/test-results.ts reads them.
import { realpathSync } from 'node:fs'
import path from 'node:path'

const LISTED = 10

export default async function* testReport(events) {
  const files = []
  let counts
  for await (const { type, data } of events) {
    if (type === 'test:dequeue' && !isGroup(data.name)) yield line({ is: 'started', ...progressOf(data) })
    if (type === 'test:complete' && !isGroup(data.name)) yield line({ is: 'finished', ...progressOf(data) })
    if (type === 'test:summary' && data.file === undefined)
      counts = { ...data.counts, duration_ms: data.duration_ms }
    if (type === 'test:summary' && data.file !== undefined && !isGroup(data.file))
      files.push([relative(data.file), data.duration_ms])
    if (type === 'test:complete' && isSharing(data)) files.push([data.name, data.details.duration_ms])
  }
  const slowest = files
    .filter(([name]) => /\.(test|trial)\.[a-z]+$/.test(name))
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, LISTED)
  yield line({ is: 'summary', counts, files: files.length, slowest })
}

const line = (value) => `${JSON.stringify(value)}\n`

const isGroup = (file) => file.endsWith('.group.mjs')

/** A file that shares a process is a suite with the name of the file. */
const isSharing = ({ file, name, nesting }) => nesting === 0 && isGroup(file ?? '') && !isGroup(name)

function progressOf(data) {
  const { file = '', name, nesting } = data
  const id = `${file} ${nesting} ${name}`
  if (isSharing(data)) return { id, file: name }
  // A process is a test with the path of its file.
  return file.endsWith(name) ? { id, file: relative(file) } : { id, file: relative(file), test: name }
}

/** A test may run a file of its own that is gone by now. */
function relative(file) {
  try {
    return path.relative('', realpathSync(file))
  } catch {
    return path.relative('', file)
  }
}
