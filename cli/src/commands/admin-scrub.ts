import { formatBytes } from '@kitseal/kit/internal'
import type { ScrubFinding } from '@kitseal/server'
import { stopwatch, tookLines } from '../task-progress.ts'
import { pluralize, printable } from '../terminal.ts'
import { storeTask } from './admin-group.ts'
import { done } from './admin-result.ts'

const USAGE = `usage: kitseal admin scrub [--bytes-per-second N] [--json]

Hashes every stored object again and reports missing or damaged ones by SHA-256, kit and path. The service may be running.
It does the same in the background, at 2 MiB per second. Several objects are read at once; progress is shown on stderr.

  --bytes-per-second N  limit the read rate (default: no limit)
  --data DIR            the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json                print the result as JSON

exit codes: 0 no damage; 1 missing or damaged objects, or the store is unavailable; 2 wrong usage`

export const run = storeTask('scrub', USAGE, {
  options: { 'bytes-per-second': 'one' },
  read: ({ value, reject }) => {
    const rate = value('bytes-per-second')
    reject(
      rate !== undefined &&
        !/^[1-9]\d{0,11}$/.test(rate) &&
        '--bytes-per-second must be a positive whole number',
    )
    return async ({ config, onProgress }) => {
      const { openStore, limitRate, noteScrub, scrubObjects, shareUpTo } = await import('@kitseal/server')
      await using store = await openStore(config)
      const rateLimit = rate === undefined ? {} : { onBytes: limitRate({ bytesPerSecond: Number(rate) }) }
      const findings: ScrubFinding[] = []
      const elapsed = stopwatch()
      let [objects, bytes] = [0, 0]
      for await (const { sha256, sizeBytes, finding } of scrubObjects({ ...store, ...rateLimit })) {
        ;[objects, bytes] = [objects + 1, bytes + sizeBytes]
        if (finding !== undefined) findings.push(finding)
        onProgress({ step: 'Checking objects', done: objects, share: shareUpTo(sha256), bytes })
      }
      if (objects > 0) await noteScrub(store.db, store.clock, findings.length)
      const seconds = elapsed()
      const took = tookLines(seconds, objects, 'object')
      const json = { objects, bytes, bad: findings.length, findings, seconds }
      const sum = `${pluralize(objects, 'object')}, ${formatBytes(bytes)} read.`
      if (findings.length === 0) return done([`${sum} No damage found.`, ...took], json)
      const lines = [...findings.flatMap(toText), `${sum} ${findings.length} missing or damaged.`, ...took]
      return done(lines, json, false)
    }
  },
})

function toText({ sha256, problem, kits, evidence }: ScrubFinding): readonly string[] {
  return [
    `${problem.toUpperCase()}  ${sha256}`,
    ...kits.flatMap(({ kit_id, paths }) => paths.map((path) => `  ${kit_id}  ${printable(path)}`)),
    ...evidence.map(({ submission_id, name }) => `  ${submission_id}  uploaded as ${printable(name)}`),
  ]
}
