// `node scripts/test.ts fast|slow|all [WORD…]` runs *.test.ts: fast those without a suffix, slow also *.slow.test.ts, all also
// *.all.test.ts. With words: the files, of any suffix, whose path contains one of them.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type PostgresServer, postgresServer } from '../test/kit/postgres.ts'
import { startS3 } from '../test/kit/s3.ts'
import { report } from './test-report.ts'

interface Shard {
  readonly files: readonly string[]
  readonly title?: string
  readonly env?: NodeJS.ProcessEnv
}

const root = path.dirname(import.meta.dirname)
const CACHE = path.join(root, 'node_modules/.cache/kitseal-test')
const TIMES = path.join(CACHE, 'seconds.json')
const SUFFIXES = {
  fast: /^[^.]+\.test\.ts$/,
  slow: /^[^.]+(\.slow)?\.test\.ts$/,
  all: /\.test\.ts$/,
} as const
/** Tests also wait, for disks and other processes. */
const PROCESSES = availableParallelism() + 1
/** Far above what a file, and a process with many files, take beside other work. */
const [FILE_LIMIT_MS, PROCESS_LIMIT_MS, EXIT_LIMIT_MS] = [20 * 60_000, 60 * 60_000, 60_000]

const [kind = 'fast', ...words] = process.argv.slice(2) as [keyof typeof SUFFIXES, ...string[]]
const isWhole = words.length === 0
const files = globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] })
  .filter((file) =>
    isWhole ? SUFFIXES[kind].test(path.basename(file)) : words.some((word) => file.includes(word)),
  )
  .toSorted()
const seconds: Record<string, number> = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {}
const isLong = (file: string): boolean => /\.(slow|all)\./.test(file)
/** What they took last time. Until it is known, slow files begin before all others. */
const sum = (some: readonly string[]): number =>
  some.reduce((all, file) => all + (seconds[file] ?? (isLong(file) ? 60 : 1)), 0)

if (files.length === 0) console.error(`No test file has ${words.join(' or ')} in its path.`)
const check = (): boolean =>
  spawnSync('npm', ['run', '--silent', 'check'], { cwd: root, stdio: 'inherit' }).status === 0
process.exitCode = files.length > 0 && (!isWhole || check()) && (await runTests()) ? 0 : 1

async function runTests(): Promise<boolean> {
  mkdirSync(CACHE, { recursive: true })
  process.env['NODE_COMPILE_CACHE'] = CACHE
  await using postgres = isWhole ? await startPostgres() : undefined
  await using s3 = isWhole && kind === 'all' ? await startS3() : undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-test-'))
  const again = { KITSEAL_TEST_DATABASE: postgres?.url }
  const separate = [...new Set([...files.filter(isLong), ...marked('Own process')])]
  const shards = [
    ...shared(separate),
    ...alone(separate),
    ...(kind === 'fast' || postgres === undefined
      ? []
      : alone(marked('Again on PostgreSQL'), 'PostgreSQL: ', again)),
    ...(s3 === undefined ? [] : alone(marked('With S3'), 'S3: ', { ...again, ...s3.env })),
  ]
  try {
    const entries = shards
      .toSorted((a, b) => sum(b.files) - sum(a.files))
      .map((shard, index) => written(shard, path.join(folder, `${index}.mjs`)))
    return await report(run({ files: entries, concurrency: PROCESSES, timeout: PROCESS_LIMIT_MS }), seconds)
  } finally {
    writeFileSync(TIMES, JSON.stringify(seconds))
    rmSync(folder, { recursive: true })
  }
}

/** Tests that need it are skipped with the reason if it does not start. */
async function startPostgres(): Promise<PostgresServer | undefined> {
  try {
    const server = await postgresServer()
    process.env['TEST_POSTGRES_URL'] = server.url
    return server
  } catch (error) {
    process.env['TEST_POSTGRES_MISSING'] = (error as Error).message
    return undefined
  }
}

/** Each in a process of its own. */
function alone(some: readonly string[], title = '', env: NodeJS.ProcessEnv = {}): readonly Shard[] {
  return some.map((file) => ({ title, files: [file], env }))
}

/** A file that is not run as the others are says so in a comment, with the reason. */
function marked(comment: string): readonly string[] {
  const line = new RegExp(`^// ${comment}: \\S`, 'm')
  return files.filter((file) => line.test(readFileSync(path.join(root, file), 'utf8')))
}

/** Files beside each other share a process, because they import the same. */
function shared(separate: readonly string[]): readonly Shard[] {
  const own = new Set(separate)
  const together = files.filter((file) => !own.has(file))
  const limit = sum(together) / (4 * PROCESSES)
  const shards: string[][] = []
  for (const file of together) {
    const last = shards.at(-1)
    if (last === undefined || sum(last) + sum([file]) / 2 > limit) shards.push([file])
    else last.push(file)
  }
  return shards.map((some) => ({ files: some }))
}

/** Writes a module that runs the files one after another, each as a suite, so that its hooks are for its own tests. */
function written({ files: some, title = '', env = {} }: Shard, entry: string): string {
  const suites = some.map((file) => [title + file, pathToFileURL(path.join(root, file)).href])
  writeFileSync(
    entry,
    `import { after, describe } from 'node:test'
Object.assign(process.env, ${JSON.stringify(env)})
for (const [name, url] of ${JSON.stringify(suites)})
  describe(name, { timeout: ${FILE_LIMIT_MS} }, () => import(url).then(() => {}))
after(() => setTimeout(() => {
  console.error('still open after all tests: ' + process.getActiveResourcesInfo())
  process.exit(1)
}, ${EXIT_LIMIT_MS}).unref())
`,
  )
  return entry
}
