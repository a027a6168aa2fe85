// `npm test`: every check of the project in order, stopping at the first that fails.
// `npm test -- WORD…`: only the suites whose path contains one of the words.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'

interface Step {
  readonly name: string
  readonly commands: readonly (readonly string[])[]
}

const LONGEST_STEP_MS = 20 * 60_000
const root = path.dirname(import.meta.dirname)
const scratch = mkdtempSync(path.join(tmpdir(), 'kitseal-test-'))
const words = process.argv.slice(2)
const skipped = (name: string): boolean => name === 'node_modules' || name === 'dist' || name === '.git'
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: (name) => skipped(path.basename(name)) }).toSorted()

const wholeTests = ['test/architecture.test.ts', 'test/docs.test.ts']
const suites = find('**/*.test.ts').filter((file) => !wholeTests.includes(file))

process.exitCode = run(words.length === 0 ? everything() : matching(words))
rmSync(scratch, { recursive: true })

function everything(): readonly Step[] {
  return [
    { name: 'format', commands: [['oxfmt', '--check', '.']] },
    { name: 'lint', commands: [['oxlint', '--deny-warnings']] },
    { name: 'types', commands: typedRooms().map((config) => ['tsc', '-p', config]) },
    { name: 'architecture', commands: [testRunner('architecture', ['test/architecture.test.ts'])] },
    { name: 'docs', commands: [testRunner('docs', ['test/docs.test.ts'])] },
    { name: 'suites', commands: [testRunner('suites', suites)] },
    { name: 'PostgreSQL', commands: onPostgres(suitesOfServices()) },
  ].filter(({ commands }) => commands.length > 0)
}

/**
 * These run a second time, with their services on PostgreSQL; the suites of both surfaces and of upkeep do so in
 * `npm run test:s3`. KITSEAL_TEST_DATABASE=postgres does the same for any other that takes its database from there.
 */
function suitesOfServices(): readonly string[] {
  const names =
    /^server\/test\/(journey|statements|submissions-credits|console-(sessions|submissions|roles))\.test\.ts$/
  return suites.filter((file) => names.test(file))
}

function onPostgres(files: readonly string[]): readonly (readonly string[])[] {
  const command = [process.execPath, path.join(root, 'server/test/on-postgres.ts')]
  return files.length === 0 ? [] : [[...command, ...testRunner('postgres', files)]]
}

/** The compiler calls a room without files an error. */
function typedRooms(): readonly string[] {
  return find('*/tsconfig*.json').filter((config) => find(`${path.dirname(config)}/**/*.ts`).length > 0)
}

function matching(wanted: readonly string[]): readonly Step[] {
  const files = [...wholeTests, ...suites].filter((file) => wanted.some((word) => file.includes(word)))
  return files.length === 0 ? [] : [{ name: 'suites', commands: [testRunner('suites', files)] }]
}

/** Two reporters: one for the reader, one whose closing counts are added up at the end. */
function testRunner(name: string, files: readonly string[]): readonly string[] {
  return [
    process.execPath,
    `--import=${path.join(root, 'scripts/leak-watch.mjs')}`,
    '--test',
    `--test-concurrency=${availableParallelism()}`,
    '--test-timeout=300000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${path.join(scratch, `${name}.tap`)}`,
    ...files,
  ]
}

function run(steps: readonly Step[]): number {
  if (steps.length === 0) {
    console.error(`No suite has ${words.join(' or ')} in its path. The suites are:\n${suites.join('\n')}`)
    return 2
  }
  const times: string[] = []
  for (const { name, commands } of steps) {
    console.log(`\n== ${name}`)
    const started = performance.now()
    const failed = commands.find((command) => !succeeds(command))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    times.push(`${name} ${seconds} s`)
    if (failed !== undefined) {
      closingCounts()
      console.error(`\nFAILED at "${name}" after ${seconds} s. To run it alone: ${alone(name, failed)}`)
      return 1
    }
  }
  console.log(`\nAll good: ${times.join(', ')}.`)
  closingCounts()
  return 0
}

function succeeds([program, ...args]: readonly string[]): boolean {
  const done = spawnSync(program ?? '', args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kitseal-test'),
      // Suites that walk many steps of one kind walk a few of them, and say so.
      ...(words.length === 0 ? { BRIEF_TESTS: '1' } : {}),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: LONGEST_STEP_MS,
  })
  if (done.error !== undefined) console.error(`${program}: ${done.error.message}`)
  return done.status === 0
}

function alone(name: string, command: readonly string[]): string {
  if (name === 'format') return 'npx oxfmt --check . (npx oxfmt . mends it)'
  if (name === 'architecture' || name === 'docs') return `npm test -- test/${name}`
  if (name === 'PostgreSQL')
    return 'KITSEAL_TEST_DATABASE=postgres npm test -- <part of the path of the suite>'
  return name === 'suites' ? 'npm test -- <part of the path of the suite>' : `npx ${command.join(' ')}`
}

/** The test runner's closing lines, summed over the runs. */
function closingCounts(): void {
  const totals = new Map<string, number>()
  for (const file of globSync('*.tap', { cwd: scratch })) {
    for (const [, label = '', count] of readFileSync(path.join(scratch, file), 'utf8').matchAll(
      /^# (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/gm,
    )) {
      totals.set(label, (totals.get(label) ?? 0) + Number(count))
    }
  }
  for (const [label, count] of totals) console.log(`# ${label} ${Math.round(count)}`)
}
