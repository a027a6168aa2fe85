import path from 'node:path'
import type { run } from 'node:test'
import { inspect } from 'node:util'

/** Where a test is: its file is a suite, and the module that imports the files is the process. */
interface Place {
  readonly name: string
  readonly nesting: number
  readonly file?: string
  readonly line?: number
}

const isProcess = ({ name, nesting }: Place): boolean => nesting === 0 && name.endsWith('.mjs')
const isSuite = ({ name, nesting }: Place): boolean => nesting === 0 && name.endsWith('.test.ts')
const keyOf = ({ file = '', name, nesting }: Place): string => `${path.relative('', file)} ${nesting} ${name}`

/** Prints what fails, is slow or is skipped, then the counts. Notes how long each file took. Returns whether all passed. */
export async function report(
  events: ReturnType<typeof run>,
  seconds: Record<string, number>,
): Promise<boolean> {
  const failures: string[] = []
  const skipped = new Map<string, number>()
  const took = new Map<string, number>()
  const output = new Map<string, string>()
  const running = new Map<string, string>()
  let counts = ''
  let isGood = false
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr')
      output.set(data.file, (output.get(data.file) ?? '') + data.message)
    else if (type === 'test:dequeue') running.set(keyOf(data), data.name)
    else if (type === 'test:complete') {
      running.delete(keyOf(data))
      if (isProcess(data) && !data.details.passed) failures.push(output.get(data.name) ?? '')
      if (!isSuite(data)) continue
      took.set(data.name, data.details.duration_ms / 1000)
      console.log(`${data.details.passed ? '✔' : '✖'} ${line(data.name, took)}`)
    } else if (type === 'test:pass' && typeof data.skip === 'string')
      skipped.set(data.skip, (skipped.get(data.skip) ?? 0) + 1)
    else if (type === 'test:fail') {
      const { error } = data.details
      // A test whose only problem is a test inside it needs no report of its own.
      if (error.failureType === 'subtestsFailed') continue
      const where = `${path.relative('', data.file ?? '')}:${data.line ?? ''}`
      failures.push(`✖ ${data.name}\n  ${where}\n${inspect(error.cause ?? error)}`)
    } else if (type === 'test:summary' && data.file === undefined) {
      const { tests, passed, failed, cancelled, skipped: skips } = data.counts
      counts = `ℹ tests ${tests}\nℹ pass ${passed}\nℹ fail ${failed + cancelled}\nℹ skipped ${skips}`
      isGood = data.success
    }
  }
  Object.assign(seconds, Object.fromEntries(took))
  console.log('\nSlowest files:')
  for (const [file] of [...took].toSorted((a, b) => b[1] - a[1]).slice(0, 10))
    console.log(`  ${line(file, took)}`)
  if (skipped.size > 0) console.log('\nSkipped tests:')
  for (const [reason, count] of [...skipped].toSorted())
    console.log(`${String(count).padStart(5)}  ${reason}`)
  for (const each of failures) console.log(`\n${each}`)
  for (const [key, name] of running) console.log(`\n✖ did not end: ${key}: ${name}`)
  console.log(`\n${counts}`)
  return isGood
}

const line = (file: string, took: ReadonlyMap<string, number>): string =>
  `${(took.get(file) ?? 0).toFixed(1).padStart(6)} s  ${file}`
