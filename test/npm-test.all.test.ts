import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as allText } from 'node:stream/consumers'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXPECTED_SECONDS } from '../scripts/expected-seconds.ts'
import { root } from './architecture/project.ts'

const PASSING = `import { test } from 'node:test'\n\ntest('passes', () => {})\n`
const FAILING = `import { test } from 'node:test'\n\ntest('passes', () => {\n  throw new Error('broken')\n})\n`
/** Fails unless it is the nth file of its process, and the hooks of other files do not run during its tests. */
const hooked = (nth: number): string => `import assert from 'node:assert'
import { after, before, test } from 'node:test'

const counts = globalThis as { loaded?: number; open?: number }
counts.loaded = (counts.loaded ?? 0) + 1
const loaded = counts.loaded
before(() => {
  counts.open = (counts.open ?? 0) + 1
})
after(() => {
  counts.open = 0
})

test('passes', () => {
  assert.deepEqual([loaded, counts.open], [${nth}, 1])
})
`
const BUNDLED = `import assert from 'node:assert'
import { test } from 'node:test'

test('passes', async () => {
  for (const [name, file] of Object.entries({
    typebox: 'typebox/build/index.mjs',
    'typebox/schema': 'typebox/build/schema/index.mjs',
    'typebox/system': 'typebox/build/system/index.mjs',
    kysely: 'kysely/dist/index.js',
  })) {
    assert.match(import.meta.resolve(name), /kitseal-typebox-[0-9.]+-kysely-[0-9.]+/)
    const [bundle, original] = [await import(name), await import('../node_modules/' + file)]
    assert.deepEqual(Object.keys(bundle).toSorted(), Object.keys(original).toSorted())
  }
})
`
/** Stands in for the PostgreSQL server that the tests share. */
const ON_POSTGRES = `import { spawnSync } from 'node:child_process'

const [variable = '', program = '', ...args] = process.argv.slice(2)
const env = { ...process.env, [variable]: 'postgres://shared' }
process.exitCode = spawnSync(program, args, { env, stdio: 'inherit' }).status ?? 1
`
const VALID = {
  'kit/seal.test.ts': PASSING,
  'server/keys.test.ts': PASSING,
  'test/architecture.test.ts': PASSING,
  'test/docs.test.ts': PASSING,
}

test('a valid project passes every step without warnings, and the counts of all steps are summed', (t) => {
  const { status, stdout, stderr } = npmTest(t, VALID)
  assert.equal(status, 0, stdout)
  assert.equal(stderr, '')
  assert.match(stdout, /== format\n.*== lint\n.*== types\n.*== architecture\n.*== docs\n.*== tests\n/s)
  assert.match(stdout, /All passed: format [\d.]+ s, .*\n# tests 4\n# suites 0\n# pass 4\n# fail 0\n/)
})

for (const [step, breaks] of [
  ['format', { 'kit/a.ts': 'export const a = "x";\n' }],
  ['lint', { 'kit/a.ts': 'export const a = (x: any): boolean => x === x\n' }],
  ['types', { 'kit/a.ts': `export const a: number = 'x'\n` }],
  ['architecture', { 'test/architecture.test.ts': FAILING }],
  ['docs', { 'test/docs.test.ts': FAILING }],
  ['tests', { 'server/keys.test.ts': FAILING }],
] as const) {
  test(`a failure in ${step} stops the run, and the last line names the step`, (t) => {
    const { status, stdout, stderr } = npmTest(t, { ...VALID, ...breaks })
    assert.equal(status, 1)
    assert.match(stdout, new RegExp(`\\n== ${step}\\n(?![^]*\\n== )`))
    assert.match(stderr, new RegExp(`FAILED: ${step}, after [\\d.]+ s\\. To repeat this step: np[xm] .*\n$`))
  })
}

test('files share a process, each with its own hooks, except those that ask for their own, and the longest start first', (t) => {
  const longest = Object.keys(EXPECTED_SECONDS).find((file) => file.endsWith('.test.ts')) ?? ''
  const { status, stdout } = npmTest(t, {
    ...VALID,
    'kit/a.test.ts': hooked(1),
    'kit/b.test.ts': hooked(2),
    'kit/c.test.ts': `// Own process: it counts.\n${hooked(1)}`,
    [longest]: `// Own process: it is long.\n${PASSING.replace('passes', 'is long')}`,
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /✔ is long [^]*✔ kit\/b\.test\.ts /)
  assert.match(stdout, /Slowest of \d files:\n(?:.*\n)* +[\d.]+ s {2}kit\/b\.test\.ts\n/)
})

const ON_DATABASE = `import { test } from 'node:test'

test(\`on \${process.env['KITSEAL_TEST_DATABASE'] ?? 'SQLite'}\`, () => {})
`

const only = (command: string): string => `// Only in ${command}: it takes long.\n${PASSING}`

test('npm run test:ci runs tests, trials and the tests on PostgreSQL in one queue, and fails if one of them fails', (t) => {
  const files = {
    ...VALID,
    'server/src/log/log.test.ts': ON_DATABASE,
    'server/s3.test.ts': only('test:s3'),
    'web/1': PASSING,
    'web/1': only('test:all'),
  }
  const { status, stdout } = npmTest(t, files, [], 'scripts/test-ci.ts')
  assert.equal(status, 0, stdout)
  const [, queue = ''] = stdout.split('\n== tests and trials\n')
  for (const found of [/on SQLite/, /PostgreSQL server\/src\/log\/log\.test\.ts/, /on postgres:\/\/shared/])
    assert.match(queue, found)
  assert.match(queue, /^ℹ tests 5$/m)
  const all = npmTest(t, files, [], 'scripts/test-all.ts')
  assert.match(all.stdout, /^ℹ tests 6$/m, 'with the rare trial')
  const broken = npmTest(t, { ...files, 'web/1': FAILING }, [], 'scripts/test-ci.ts')
  assert.equal(broken.status, 1)
  assert.match(broken.stderr, /FAILED: tests and trials, after/)
})

test('typebox and kysely are loaded from bundles, which are complete', (t) => {
  const { status, stdout } = npmTest(t, { ...VALID, 'kit/bundled.test.ts': BUNDLED }, ['bundled'])
  assert.equal(status, 0, stdout)
})

test('a file that cannot be loaded fails the run', (t) => {
  const { status, stdout } = npmTest(t, { ...VALID, 'kit/a.test.ts': `throw new Error('broken file')\n` })
  assert.equal(status, 1)
  assert.match(stdout, /broken file/)
})

/** Hangs, and has started a process in a group of its own, like a browser. */
const hanging = (onTerminate: string): string => `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'

test('hangs', async () => {
  const command = \`${onTerminate}; console.log('ready'); setInterval(() => {}, 9000)\`
  const child = spawn(process.execPath, ['-e', command], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  writeFileSync('hanging', [process.pid, child.pid].join(' '))
  await new Promise(() => {})
})
`
const runWithLimit = (
  limitMs: number,
): string => `import { runSteps, queueStep, testStep } from './run-steps.ts'

const steps = [testStep('first', ['test/docs.test.ts']), queueStep('tests', [{ files: ['kit/a.test.ts', 'kit/hangs.test.ts'] }])]
process.exitCode = await runSteps(steps, ${limitMs})
`
const HOUR_MS = 3_600_000

for (const [cause, limitMs, reason] of [
  ['the limit of a step, although a process ignores SIGTERM', 6000, 'the limit of 6 s'],
  ['SIGINT', HOUR_MS, 'SIGINT'],
  ['SIGTERM', HOUR_MS, 'SIGTERM'],
] as const) {
  test(`a run that is cut by ${cause} says so, names what was running, and leaves no process and no folder`, async (t) => {
    const project = smallProject(t, {
      ...VALID,
      'kit/a.test.ts': PASSING,
      'kit/hangs.test.ts': hanging(limitMs === HOUR_MS ? '' : `process.on('SIGTERM', () => {})`),
      'scripts/limited.ts': runWithLimit(limitMs),
      'tmp/empty': '',
    })
    const tmp = path.join(project.cwd, 'tmp')
    const run = spawn(process.execPath, ['scripts/limited.ts'], {
      ...project,
      env: { ...project.env, TMPDIR: tmp },
    })
    t.after(() => run.kill('SIGKILL'))
    const output = {
      exit: once(run, 'exit'),
      stdout: allText(run.stdout),
      stderr: allText(run.stderr),
    }
    const pids = path.join(project.cwd, 'hanging')
    while (!existsSync(pids) && run.exitCode === null) await sleep(50)
    if (limitMs === HOUR_MS) run.kill(cause as NodeJS.Signals)
    const [[code], stdout, stderr] = [await output.exit, await output.stdout, await output.stderr]
    assert.equal(code, 1, stdout + stderr)
    assert.ok(stderr.includes(`tests is cut by ${reason}. Its processes are ended.`), stderr)
    assert.match(stderr, /Running at this time:\n {2}kit\/hangs\.test\.ts: hangs\n\n/)
    assert.match(stderr, /NOT FINISHED, cut by .*: tests, after [\d.]+ s\./)
    assert.match(stdout, /There are no counts, because not all tests have run\./)
    assert.doesNotMatch(stdout, /All passed|^# (tests|fail) /m)
    for (const pid of readFileSync(pids, 'utf8').split(' '))
      assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' })
    assert.deepEqual(readdirSync(tmp), ['empty'])
  })
}

test('a word selects the test files with that word in their path', (t) => {
  const { status, stdout } = npmTest(t, { ...VALID, 'kit/seal.test.ts': FAILING }, ['server'])
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^# tests 1$/m)
})

test('a word that matches no test file is an error', (t) => {
  const { status, stderr } = npmTest(t, VALID, ['sever'])
  assert.equal(status, 2)
  assert.match(stderr, /No test file has sever in its path\..*server\/keys\.test\.ts/s)
})

test('a test file that leaves something running fails, and the message names it', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-leak-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const suite = path.join(folder, 'leaks.test.mjs')
  writeFileSync(
    suite,
    `import { test } from 'node:test'; test('passes', () => { setInterval(() => {}, 9000) })`,
  )
  const watch = new URL('../scripts/leak-watch.mjs?exit-timeout-ms=100', import.meta.url)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [`--import=${watch}`, '--test', suite], {
    encoding: 'utf8',
    env,
  })
  assert.equal(status, 1)
  assert.match(stdout, /leaks\.test\.mjs has finished, but still has open resources: .*Timeout/)
})

/** Runs the real test runner in a small project. */
function npmTest(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  script = 'scripts/test.ts',
) {
  return spawnSync(process.execPath, [script, ...words], { ...smallProject(t, files), encoding: 'utf8' })
}

/** A project with our test runner. Returns where and with which variables to run it. */
function smallProject(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-npm-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const part of [
    'scripts/test.ts',
    'scripts/test-all.ts',
    'scripts/test-ci.ts',
    'scripts/test-steps.ts',
    'scripts/run-command.ts',
    'scripts/run-steps.ts',
    'scripts/test-files.ts',
    'scripts/test-groups.ts',
    'scripts/test-results.ts',
    'scripts/expected-seconds.ts',
    'scripts/expected-seconds.json',
    'scripts/bundle-packages.ts',
    'scripts/bundled-packages.mjs',
    'scripts/bundle-service.ts',
    'scripts/bundled-service.mjs',
    'scripts/leak-watch.mjs',
    'scripts/test-report.mjs',
    '.oxlintrc.json',
    '.oxfmtrc.json',
    'tsconfig.base.json',
  ]) {
    cpSync(path.join(root, part), path.join(folder, part))
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const settings = `{\n  "extends": "../tsconfig.base.json",\n  "compilerOptions": { "types": ["node"] }\n}\n`
  for (const [file, text] of Object.entries({
    'package.json': `{\n  "type": "module"\n}\n`,
    'kit/tsconfig.json': settings,
    'server/test/on-postgres.ts': ON_POSTGRES,
    ...files,
  })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const bin = path.join(root, 'node_modules/.bin')
  const { NODE_TEST_CONTEXT: _, KITSEAL_TEST_DATABASE: __, ...env } = process.env
  return { cwd: folder, env: { ...env, PATH: `${bin}${path.delimiter}${env['PATH']}` } }
}
