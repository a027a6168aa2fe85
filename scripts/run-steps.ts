// Runs the steps of `npm test`, `npm run test:ci` and `npm run test:all`, and stops at the first that fails.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { importBundledPackages } from './bundle-packages.ts'
import { importBundledService } from './bundle-service.ts'
import { type Cut, runCommand } from './run-command.ts'
import { projectFiles, root } from './test-files.ts'
import { type Batch, groupTests } from './test-groups.ts'
import { printCounts, printSlowest, runningTests } from './test-results.ts'

export interface Step {
  readonly name: string
  readonly commands: readonly (readonly string[])[]
  /** The commands share the processors instead of running one after another. */
  readonly atOnce?: boolean
  /** The command that repeats the step after a failure. */
  readonly repeat: string
}

/** Tests wait for leases, timeouts and disks, so there is always one more than processors. */
const WAITING = 1
/** Far above what a step takes on a busy machine: single tests and files have limits of their own. */
const STEP_LIMIT_MS = 60 * 60_000
const reports = mkdtempSync(path.join(tmpdir(), 'kitseal-test-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const ENVIRONMENT = {
  ...process.env,
  NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kitseal-test'),
}
const BUNDLES = [importBundledPackages(root), await importBundledService(root)]
/** The command that runs test files. Its report is kept to sum up the counts of all steps. */
function testCommand(name: string, files: readonly string[], waiting = WAITING): readonly string[] {
  return [
    process.execPath,
    `--import=${path.join(root, 'scripts/leak-watch.mjs')}`,
    ...BUNDLES,
    '--test',
    `--test-concurrency=${availableParallelism() + waiting}`,
    '--test-timeout=300000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    // With a third reporter, Node warns about a leak of listeners.
    `--test-reporter=${path.join(root, 'scripts/test-report.mjs')}`,
    `--test-reporter-destination=${path.join(reports, `${name}.jsonl`)}`,
    ...files,
  ]
}

/** Runs the tests and trials whose path contains one of the words. */
export async function runMatching(words: readonly string[]): Promise<number> {
  const files = projectFiles('**/*.{test,trial}.ts')
  const wanted = files.filter((file) => words.some((word) => file.includes(word)))
  if (wanted.length > 0) return runSteps([testStep('tests', wanted)])
  console.error(
    `No test file has ${words.join(' or ')} in its path. The test files are:\n${files.join('\n')}`,
  )
  return 2
}

/** Runs a command with a PostgreSQL server, whose URL is in the environment variable. */
const onPostgres = (variable: string, command: readonly string[]): readonly string[] => [
  process.execPath,
  path.join(root, 'server/test/on-postgres.ts'),
  variable,
  ...command,
]

/** A step whose test files share processes and a PostgreSQL server. */
export const queueStep = (name: string, batches: readonly Batch[], waiting = WAITING): Step => ({
  ...testStep(name, []),
  commands: [onPostgres('TEST_POSTGRES_URL', testCommand(name, groupTests(root, batches, reports), waiting))],
})

export const testStep = (name: string, files: readonly string[]): Step => ({
  name,
  commands: [testCommand(name, files)],
  repeat: `npm test -- ${files.length === 1 ? files[0] : '<part of the path of the test file>'}`,
})

/** Returns the exit code. */
export async function runSteps(steps: readonly Step[], limitMs = STEP_LIMIT_MS): Promise<number> {
  const times: string[] = []
  for (const step of steps) {
    const { name, repeat } = step
    console.log(`\n== ${name}`)
    const started = performance.now()
    const result = await runStep(step, limitMs)
    printSlowest(reports, name)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    times.push(`${name} ${seconds} s`)
    if (result === 'passed') continue
    printCounts(reports)
    console.error(`\n${result}: ${name}, after ${seconds} s. To repeat this step: ${repeat}`)
    return 1
  }
  console.log(`\nAll passed: ${times.join(', ')}.`)
  printCounts(reports)
  return 0
}

async function runStep({ name, commands, atOnce = false }: Step, limitMs: number) {
  let reason: string | undefined
  const onCut = (cut: Cut): void => {
    if (reason === undefined) printCut(name, cut)
    reason = cut.reason
  }
  const succeeds = (command: readonly string[]): Promise<boolean> =>
    runCommand(command, { cwd: root, env: ENVIRONMENT, limitMs, onCut })
  const passed = atOnce
    ? (await Promise.all(commands.map(succeeds))).every(Boolean)
    : await everyInTurn(commands, succeeds)
  if (passed) return 'passed'
  return reason === undefined ? 'FAILED' : `NOT FINISHED, cut by ${reason}`
}

async function everyInTurn<T>(
  items: readonly T[],
  succeeds: (item: T) => Promise<boolean>,
): Promise<boolean> {
  for (const item of items) if (!(await succeeds(item))) return false
  return true
}

function printCut(step: string, { reason }: Cut): void {
  const running = runningTests(reports, step)
  console.error(`\n${step} is cut by ${reason}. Its processes are ended.`)
  if (running.length > 0)
    console.error(`Running at this time:\n${running.map((each) => `  ${each}`).join('\n')}`)
}
