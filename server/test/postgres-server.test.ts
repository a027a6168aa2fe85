import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const START = `const { postgresServer } = await import('./postgres-server.ts')
  await postgresServer({ no_such_setting: '1' })`

test('a test run whose PostgreSQL rejects its settings fails', () => {
  const { status, stderr } = run(START)
  assert.match(stderr, /PostgreSQL does not start/)
  assert.equal(status, 1)
})

test('a test run that cannot execute PostgreSQL fails', () => {
  const broken = `import childProcess from 'node:child_process'
    import { syncBuiltinESMExports } from 'node:module'
    const { spawn } = childProcess
    childProcess.spawn = (_program, ...rest) => spawn('/no/such/program', ...rest)
    syncBuiltinESMExports()
    const { test } = await import('node:test')
    test('needs PostgreSQL', async () => { ${START} })`
  assert.equal(run(broken).status, 1)
})

const run = (script: string) =>
  spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
