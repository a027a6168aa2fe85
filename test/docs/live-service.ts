// A service for the sessions that the docs show, and the environment of a user's shell.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '../kit/free-port.ts'
import { root } from '../architecture/project.ts'

/** Without our settings, those that npm passes to its scripts, or pinned keys. */
export function userEnvironment(home: string): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(KITSEAL|XDG|npm|NODE)_/i.test(name))
  const bin = path.join(root, 'node_modules/.bin')
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    PATH: `${bin}${path.delimiter}${process.env['PATH']}`,
  }
}

/** Starts a service that stops with the test. */
export async function startService(
  t: TestContext,
  dataFolder: string,
): Promise<{ readonly url: string; readonly apiKey: string }> {
  const port = await freePort()
  const service = spawn(process.execPath, ['cli/bin/kitseal.cjs', 'serve'], {
    cwd: root,
    env: {
      ...userEnvironment(dataFolder),
      KITSEAL_PORT: String(port),
      KITSEAL_DATA: dataFolder,
      KITSEAL_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    if (service.exitCode !== null) return
    service.kill('SIGTERM')
    await once(service, 'exit')
  })
  await Promise.race([once(service.stdout, 'data'), once(service, 'exit')])
  assert.equal(service.exitCode, null, 'the service did not start')
  const [apiKey = ''] = /ks_\w+/.exec(readFileSync(path.join(dataFolder, 'first-start.txt'), 'utf8')) ?? []
  return { url: `http://127.0.0.1:${port}`, apiKey }
}
