// A reporter for `node --test` that lists the slowest test files.
import path from 'node:path'

const LISTED = 10

export default async function* slowFiles(events) {
  const files = []
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined) files.push(data)
  }
  const slowest = files.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, LISTED)
  if (files.length < 2) return
  yield `Slowest of ${files.length} files:\n`
  for (const { file, duration_ms } of slowest) {
    yield `${(duration_ms / 1000).toFixed(1).padStart(7)} s  ${path.relative('', file)}\n`
  }
}
