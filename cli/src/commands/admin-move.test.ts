import assert from 'node:assert/strict'
import { test } from 'node:test'
import { move as run } from './admin-store.ts'

test('a password on the command line is refused, not repeated, and the alternative is named', async () => {
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  const args = ['--to-database', 'postgres://ann:hunter2@db/kitseal', '--to-objects', '/nowhere']
  const code = await run(args, { env: {}, stdout: output, stderr: output })
  assert.equal(code, 2)
  assert.match(printed, /must not contain a password.*Set PGPASSWORD, or write it to ~\/\.pgpass/)
  assert.doesNotMatch(printed, /hunter2/)
})

test('the password of the target is read from PGPASSWORD', async () => {
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  const args = [
    '--to-database',
    'postgres://ann@db/kitseal',
    '--to-objects',
    'ftp://x',
    '--data',
    import.meta.dirname,
  ]
  const code = await run(args, { env: { PGPASSWORD: 'hunter2' }, stdout: output, stderr: output })
  assert.equal(code, 2, 'there is no data to move')
  assert.doesNotMatch(printed, /password|hunter2/)
})
