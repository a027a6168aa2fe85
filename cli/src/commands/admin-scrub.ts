import type { ScrubFinding } from '@kitseal/server'
import { formatBytes } from '@kitseal/kit'
import { counted, EXIT, plain, type Terminal } from '../terminal.ts'
import { runTask, type StoreTask } from './admin-task.ts'

const USAGE = `usage: kitseal admin scrub [--bytes-per-second N] [--json]

Reads and hashes everything that a record names, and says what is missing or not what it was: by SHA-256, kit and path.
The service may be running; it does the same in the background, at the pace of KITSEAL_SCRUB_BYTES_PER_SECOND.

  --bytes-per-second N  read no faster (default: as fast as it goes)
  --data DIR            the service's data (default: KITSEAL_DATA, or ./data; KITSEAL_DATABASE_URL where it is set)
  --json                the answer as JSON

exit codes: 0 everything is as it was, 1 something is not, or the store can not be read, 2 usage
`

const task: StoreTask = {
  name: 'scrub',
  usage: USAGE,
  options: { 'bytes-per-second': 'one' },
  words: [],
  onStore: true,
  problems: ({ values }) => {
    const rate = values.get('bytes-per-second')?.[0]
    return rate === undefined || /^[1-9]\d{0,11}$/.test(rate) ? [] : ['--bytes-per-second takes a number']
  },
  perform: async (config, { values }, progress) => {
    const { openStore, pace, scrubObjects } = await import('@kitseal/server')
    const rate = values.get('bytes-per-second')?.[0]
    await using store = await openStore(config)
    const paced = rate === undefined ? {} : { pace: pace({ bytesPerSecond: Number(rate) }) }
    const findings: ScrubFinding[] = []
    let [objects, bytes] = [0, 0]
    for await (const { sizeBytes, finding } of scrubObjects({ ...store, ...paced })) {
      ;[objects, bytes] = [objects + 1, bytes + sizeBytes]
      if (finding !== undefined) findings.push(finding)
      progress(`${counted(objects, 'object')}, ${formatBytes(bytes)}`)
    }
    const json = { objects, bytes, bad: findings.length, findings }
    const sum = `${counted(objects, 'object')}, ${formatBytes(bytes)} read.`
    if (findings.length === 0) return { lines: [`${sum} Everything is as it was.`], json, exitCode: EXIT.ok }
    return {
      lines: [
        ...findings.flatMap(said),
        `${sum} ${findings.length} ${findings.length === 1 ? 'is' : 'are'} bad.`,
      ],
      json,
      exitCode: EXIT.fail,
    }
  },
}

function said({ sha256, problem, kits, evidence }: ScrubFinding): readonly string[] {
  return [
    `${problem.toUpperCase()}  ${sha256}`,
    ...kits.flatMap(({ kit_id, paths }) => paths.map((path) => `  ${kit_id}  ${plain(path)}`)),
    ...evidence.map(({ submission_id, name }) => `  ${submission_id}  uploaded as ${plain(name)}`),
  ]
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runTask(task, args, terminal)
