import assert from 'node:assert/strict'
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
  assert.ok(project.sources.some(({ path }) => path === 'scripts/launch.cjs'))
  assert.ok(project.sources.some(({ path }) => path.startsWith('kit/src/')))
  assert.ok(project.sources.every(({ path }) => !path.includes('node_modules')))
})
