import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.github/workflows')

interface Workflow {
  readonly permissions: object
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'runs-on': string
        readonly 'timeout-minutes': number
        readonly strategy?: { readonly matrix: { readonly os: readonly string[] } }
        readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[]
      }
    >
  >
}

const workflows = readdirSync(FOLDER).map(
  (name) => parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow,
)
const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs))
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const tests = globSync('{kit,server,cli,test}/**/*.test.ts', {
  cwd: ROOT,
  exclude: (path) => path.includes('node_modules'),
})

/** What is wrong with a line of a workflow; undefined if nothing is. */
function problemOf(run: string): string | undefined {
  const [command = '', name = '', ...rest] = run.split(' ')
  if (command === 'npx') {
    const exists = name === 'kitseal' && existsSync(join(ROOT, `cli/src/commands/${rest[0]}.ts`))
    return exists ? undefined : 'no such command of kitseal'
  }
  if (run === 'sudo .ci/run') return undefined
  if (command !== 'npm') return 'not a script of npm'
  if (name === 'ci' || name === 'config') return undefined
  const script = name === 'run' ? (rest.shift() ?? '') : name
  if (!Object.hasOwn(scripts, script)) return 'no such script in package.json'
  const unknown = rest.slice(1).filter((word) => !tests.some((path) => path.includes(word)))
  return unknown.length === 0 ? undefined : `no test has ${unknown.join(', ')} in its path`
}

test('workflows run scripts and tests that exist', () => {
  const lines = jobs.flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run))
  assert.ok(lines.length > 5)
  for (const line of lines) assert.equal(problemOf(line), undefined, line)
  for (const wrong of ['npm run bild', 'npm tset', 'make', 'npx kitseal dmeo', 'npm test -- no-such-test'])
    assert.notEqual(problemOf(wrong), undefined, wrong)
})

test('workflows run on Linux, macOS and Windows with Node.js 24, end by themselves, and can change nothing', () => {
  const systems = jobs.flatMap((job) => job.strategy?.matrix.os ?? job['runs-on'])
  for (const system of ['ubuntu', 'macos', 'windows'])
    assert.ok(
      systems.some((name) => name.startsWith(system)),
      system,
    )
  for (const { permissions } of workflows) assert.deepEqual(permissions, { contents: 'read' })
  for (const { steps, 'timeout-minutes': minutes } of jobs) {
    assert.ok(minutes <= 90)
    // On Linux, the service brings its own Node.js.
    if (steps.some(({ run }) => String(run) === 'sudo .ci/run')) continue
    const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))
    assert.deepEqual(node?.with, { 'node-version': 24 })
  }
})
