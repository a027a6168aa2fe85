// A reporter for `node --test` that lists the slowest test files.
import { realpathSync } from 'node:fs'
import path from 'node:path'

const LISTED = 10

export default async function* slowFiles(events) {
  const files = []
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined && !data.file.endsWith('.group.mjs'))
      files.push([path.relative('', resolved(data.file)), data.duration_ms])
    // A file that shares a process is a suite with the name of the file.
    if (type === 'test:complete' && data.nesting === 0 && data.file?.endsWith('.group.mjs'))
      files.push([data.name, data.details.duration_ms])
  }
  const slowest = files.toSorted((a, b) => b[1] - a[1]).slice(0, LISTED)
  if (files.length < 2) return
  yield `Slowest of ${files.length} files:\n`
  for (const [file, milliseconds] of slowest) {
    yield `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${file}\n`
  }
}

/** A test may run a file of its own that is gone by now. */
function resolved(file) {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
