import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

const script = path.join(import.meta.dirname, 'on-postgres.ts')

test('a command that runs with PostgreSQL passes its exit code on', () => {
  const command = [
    process.execPath,
    '-e',
    'process.exit(process.env.DATABASE.startsWith("postgres:") ? 3 : 4)',
  ]
  const { status } = spawnSync(process.execPath, [script, 'DATABASE', ...command], { timeout: 240_000 })
  assert.equal(status, 3)
})
