import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { root } from './architecture/project.ts'

const PASSING = `import { test } from 'node:test'\n\ntest('holds', () => {})\n`
const FAILING = `import { test } from 'node:test'\n\ntest('holds', () => {\n  throw new Error('it does not')\n})\n`
const SOUND = {
  'kit/seal.test.ts': PASSING,
  'server/keys.test.ts': PASSING,
  'test/architecture.test.ts': PASSING,
  'test/docs.test.ts': PASSING,
}

test('a sound project passes every step, and the closing counts of all runs are added up', (t) => {
  const { status, stdout } = npmTest(t, SOUND)
  assert.equal(status, 0, stdout)
  assert.match(stdout, /== format\n.*== lint\n.*== types\n.*== architecture\n.*== docs\n.*== suites\n/s)
  assert.match(stdout, /All good: format [\d.]+ s, .*\n# tests 4\n# suites 0\n# pass 4\n# fail 0\n/)
})

for (const [step, breaks] of [
  ['format', { 'kit/a.ts': 'export const a = "x";\n' }],
  ['lint', { 'kit/a.ts': 'export const a = (x: any): boolean => x === x\n' }],
  ['types', { 'kit/a.ts': `export const a: number = 'x'\n` }],
  ['architecture', { 'test/architecture.test.ts': FAILING }],
  ['docs', { 'test/docs.test.ts': FAILING }],
  ['suites', { 'server/keys.test.ts': FAILING }],
] as const) {
  test(`what breaks ${step} stops the run there, and the last line says so`, (t) => {
    const { status, stdout, stderr } = npmTest(t, { ...SOUND, ...breaks })
    assert.equal(status, 1)
    assert.match(stdout, new RegExp(`\\n== ${step}\\n(?![^]*\\n== )`))
    assert.match(stderr, new RegExp(`FAILED at "${step}" after [\\d.]+ s\\. To run it alone: np[xm] .*\n$`))
  })
}

test('a word runs only the suites with that word in their path', (t) => {
  const { status, stdout } = npmTest(t, { ...SOUND, 'kit/seal.test.ts': FAILING }, ['server'])
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^# tests 1$/m)
})

test('a word that no suite has is an error, not a pass', (t) => {
  const { status, stderr } = npmTest(t, SOUND, ['sever'])
  assert.equal(status, 2)
  assert.match(stderr, /No suite has sever in its path\..*server\/keys\.test\.ts/s)
})

test('a suite that leaves something running fails, and says what', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-leak-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const suite = path.join(folder, 'leaks.test.mjs')
  writeFileSync(
    suite,
    `import { test } from 'node:test'; test('holds', () => { setInterval(() => {}, 9000) })`,
  )
  const watch = new URL('../scripts/leak-watch.mjs?to-end-ms=100', import.meta.url)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [`--import=${watch}`, '--test', suite], {
    encoding: 'utf8',
    env,
  })
  assert.equal(status, 1)
  assert.match(stdout, /leaks\.test\.mjs is over, and what it started still runs: .*Timeout/)
})

/** Runs the real runner in a small project. */
function npmTest(t: TestContext, files: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-npm-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const part of [
    'scripts/test.ts',
    'scripts/leak-watch.mjs',
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
    ...files,
  })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const bin = path.join(root, 'node_modules/.bin')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, ['scripts/test.ts', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, PATH: `${bin}${path.delimiter}${env['PATH']}` },
  })
}
