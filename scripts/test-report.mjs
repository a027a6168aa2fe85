// A reporter for `node --test` that writes the counts and the slowest test files as JSON.
import { realpathSync } from 'node:fs'
import path from 'node:path'

const LISTED = 10

export default async function* testReport(events) {
  const files = []
  let counts
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file === undefined)
      counts = { ...data.counts, duration_ms: data.duration_ms }
    if (type === 'test:summary' && data.file !== undefined && !data.file.endsWith('.group.mjs'))
      files.push([path.relative('', resolved(data.file)), data.duration_ms])
    // A file that shares a process is a suite with the name of the file.
    if (type === 'test:complete' && data.nesting === 0 && data.file?.endsWith('.group.mjs'))
      files.push([data.name, data.details.duration_ms])
  }
  const slowest = files
    .filter(([name]) => /\.(test|trial)\.[a-z]+$/.test(name))
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, LISTED)
  yield JSON.stringify({ counts, files: files.length, slowest })
}

/** A test may run a file of its own that is gone by now. */
function resolved(file) {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
