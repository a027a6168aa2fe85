import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const kitseal = fileURLToPath(new URL('../../../cli/bin/kitseal.cjs', import.meta.url))

test('a service whose output was closed still stops on SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-serve-'))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    KITSEAL_DATA: join(folder, 'data'),
    KITSEAL_PORT: '0',
  }
  const service = spawn(process.execPath, [kitseal, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(service, 'exit')
  try {
    let printed = ''
    for await (const text of service.stdout.setEncoding('utf8')) {
      printed += text
      if (printed.includes('Ctrl-C stops it.')) break
    }
    service.stdout.destroy()
    service.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  } finally {
    service.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  }
})
