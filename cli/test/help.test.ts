import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { cliReference, helpPages, REFERENCE } from './make-reference.ts'

test('the help of every command starts with its usage', async () => {
  for (const { command, text } of await helpPages())
    assert.match(text, new RegExp(`^usage: kitseal ${command}`))
})

test('docs/reference/cli.md matches the help (node cli/test/make-reference.ts)', async () => {
  assert.equal(
    readFileSync(REFERENCE, 'utf8'),
    await cliReference(),
    'stale: node cli/test/make-reference.ts',
  )
})
