import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dependencyRules } from './architecture/dependency-rules.ts'
import { importRules } from './architecture/import-rules.ts'
import { layerRules } from './architecture/layer-rules.ts'
import { projectOf, projectOnDisk } from './architecture/project.ts'
import { styleRules } from './architecture/style-rules.ts'

const project = projectOnDisk()

for (const rule of [...importRules, ...layerRules, ...styleRules, ...dependencyRules]) {
  test(rule.name, () => {
    const broken = rule.violations(project)
    assert.ok(broken.length === 0, `${rule.name}, because ${rule.why}. Broken here:\n${broken.join('\n')}`)
  })

  test(`${rule.name}: a file that breaks this is caught`, () => {
    const caught = rule.violations(projectOf(rule.sample))
    const bad = Object.keys(rule.sample).filter((file) => /\.tsx?$/.test(file))
    assert.ok(caught.length > 0, 'nothing was caught')
    for (const file of bad)
      assert.ok(
        caught.some((line) => line.includes(file)),
        `${file} was not caught`,
      )
  })
}

test('prose about a forbidden thing is not taken for it', () => {
  const prose = projectOf({
    'server/src/app.ts': [
      `// process.exit(1), process.env, import x from 'left-pad'`,
      `const says = "enum State { process.env }: any" + 'import("left-pad")'`,
      'const shown = `process.exit(1) ${says}`',
      'const pattern = /process.env|"/g',
      `/* sign( */ import type { Kit } from '@kitseal/kit'`,
    ].join('\n'),
  })
  const broken = [...importRules, ...styleRules].flatMap((rule) => rule.violations(prose))
  assert.deepEqual(broken, [])
})

test('every source file of the project is read', () => {
  assert.ok(project.sources.some(({ path }) => path === 'scripts/launch.cjs'))
  assert.ok(project.sources.some(({ path }) => path.startsWith('kit/src/')))
  assert.ok(project.sources.every(({ path }) => !path.includes('node_modules')))
})
