import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

interface Lock {
  transferTo(pid: number): void
  release(): void
}

const { acquireLock } = createRequire(import.meta.url)('../scripts/lock.cjs') as {
  readonly acquireLock: (lock: string, onWait: () => void) => Promise<Lock>
}

test('a lock that another process took over is not released by the one that had it', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'install.lock')
  const ended = spawn(process.execPath, ['-e', '0'])
  await once(ended, 'exit')

  const first = await acquireLock(file, () => {})
  first.transferTo(ended.pid ?? 0)
  let waits = 0
  const second = await acquireLock(file, () => waits++)
  assert.equal(waits, 1)
  first.release()
  assert.equal(readFileSync(file, 'utf8'), String(process.pid))
  second.release()
  assert.equal(existsSync(file), false)
  first.release()
})
