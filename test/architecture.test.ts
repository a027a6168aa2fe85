import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { dependencyRules } from './architecture/dependency-rules.ts'
import { importRules } from './architecture/import-rules.ts'
import { layerRules, unusedReasons } from './architecture/layer-rules.ts'
import { projectOf, projectOnDisk } from './architecture/project.ts'
import { styleRules } from './architecture/style-rules.ts'

const project = projectOnDisk()

for (const rule of [...importRules, ...layerRules, ...styleRules, ...dependencyRules]) {
  test(rule.name, () => {
    const violations = rule.violations(project)
    assert.ok(
      violations.length === 0,
      `${rule.name}, because ${rule.why}. Violations:\n${violations.join('\n')}`,
    )
  })

  test(`${rule.name}: a violation is found`, () => {
    const reported = rule.violations(projectOf(rule.sample))
    const files = Object.keys(rule.sample).filter((file) => /\.tsx?$/.test(file))
    assert.ok(reported.length > 0, 'no violation found')
    for (const file of files)
      assert.ok(
        reported.some((line) => line.includes(file)),
        `${file} was not reported`,
      )
  })
}

test('every reason to import an area of the same layer is used', () => {
  assert.deepEqual(unusedReasons(project), [])
  assert.ok(unusedReasons(projectOf({ 'server/src/log/log.ts': '' })).includes('log → keys'))
})

test('comments and strings do not violate rules', () => {
  const sample = projectOf({
    'server/src/app.ts': [
      `// process.exit(1), process.env, import x from 'left-pad'`,
      `const text = "enum State { process.env }: any" + 'import("left-pad")'`,
      'const shown = `process.exit(1) ${text}`',
      'const pattern = /process.env|"/g',
      `/* sign( */ import type { Kit } from '@kitseal/kit'`,
    ].join('\n'),
  })
  const violations = [...importRules, ...styleRules].flatMap((rule) => rule.violations(sample))
  assert.deepEqual(violations, [])
})

test('all source files are checked', () => {
  assert.ok(project.sources.some(({ path }) => path === 'scripts/ready.cjs'))
  assert.ok(project.sources.some(({ path }) => path.startsWith('kit/src/')))
  assert.ok(project.sources.every(({ path }) => !path.includes('node_modules')))
})

// All TypeScript that runs in Node is checked with the types of a browser, because tests open pages.
test('the linter refuses a name that only browsers have, except where pages are tested', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-lint-'))
  const root = dirname(import.meta.dirname)
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const name of ['server', 'web']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.ts'), 'export const title = (): string => document.title\n')
  }
  const linter = join(root, 'node_modules/.bin/oxlint')
  const { stdout } = spawnSync(linter, ['--format=unix'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  assert.deepEqual(stdout.match(/^.*is not defined/gm), ["server/a.ts:1:36: 'document' is not defined"])
})
