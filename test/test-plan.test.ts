import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { EXPECTED_SECONDS } from '../scripts/expected-seconds.ts'
import { ON_POSTGRES, ON_S3, onlyIn, projectFiles, root } from '../scripts/test-files.ts'

const page = readFileSync(path.join(root, 'test/README.md'), 'utf8')

test('every file that the test scripts name exists', () => {
  for (const file of [...Object.keys(EXPECTED_SECONDS), ...ON_POSTGRES, ...ON_S3])
    assert.ok(existsSync(path.join(root, file)), file)
})

test('test/README.md lists the files that only one command runs, with the reason in the file', () => {
  const files = projectFiles('**/*.{test,trial}.ts')
  const expected = files.flatMap((file) => {
    const only = onlyIn(file)
    return only === undefined ? [] : [[file, only.command, only.reason]]
  })
  const rows = page.matchAll(/^\| `([^`]+\.(?:test|trial)\.ts)` +\| `npm run (test:\w+)` +\| (.+?) +\|$/gm)
  assert.deepEqual(
    Array.from(rows, ([, ...cells]) => cells),
    expected,
  )
})

test('test/README.md lists the files that run again on PostgreSQL and S3', () => {
  for (const [heading, files] of [
    ['on PostgreSQL', ON_POSTGRES],
    ['on PostgreSQL and S3', ON_S3],
  ] as const) {
    const [, list = ''] = page.split(`\n### Again ${heading}\n`)
    const [section = ''] = list.split('\n#')
    assert.deepEqual(
      Array.from(section.matchAll(/^- `(.+)`$/gm), ([, file]) => file),
      files,
    )
  }
})
