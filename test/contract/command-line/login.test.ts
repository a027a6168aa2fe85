import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { main } from '../../../cli/src/main.ts'

/** A terminal on which `answers` are typed, one after each question. */
function typing(home: string, ...answers: readonly string[]) {
  const keyboard = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: () => undefined,
    setEncoding: () => undefined,
    pause: () => undefined,
    resume: () => setImmediate(() => keyboard.emit('data', `${left.shift() ?? '\u0004'}\r`)),
  })
  const left = [...answers]
  let shown = ''
  const output = { isTTY: true, write: (text: string) => void (shown += text) }
  return {
    terminal: { env: { HOME: home }, stdout: output, stderr: output, stdin: keyboard },
    shown: () => shown,
  }
}

test('login asks before it pins, then for the key without echo; a no sends nothing', async () => {
  await using service = await testService()
  const home = mkdtempSync(join(tmpdir(), 'kitseal-login-'))
  const config = join(home, '.config/kitseal/config.json')
  const key = service.service.firstApiKey ?? ''
  try {
    const no = typing(home, 'n', key)
    assert.equal(await main(['login', service.base], no.terminal), 2)
    assert.match(no.shown(), /Pin this\? \[y\/N\] n[^]*The API key was not sent/)
    assert.ok(!existsSync(config))
    assert.doesNotMatch(service.log(), /\/v1\/credits/)

    const yes = typing(home, 'y', key)
    assert.equal(await main(['login', `${service.base}/`], yes.terminal), 0, yes.shown())
    assert.match(yes.shown(), /API key for http[^]*Logged in to http:\/\/127\.0\.0\.1:\d+, workspace \w+/)
    assert.ok(!yes.shown().includes(key))
    assert.deepEqual(JSON.parse(readFileSync(config, 'utf8')), { url: service.base, api_key: key })
    assert.equal(statSync(config).mode & 0o777, 0o600)

    const again = typing(home, key)
    assert.equal(
      await main(['login', service.base], again.terminal),
      0,
      'pinned keys are not asked for again',
    )
  } finally {
    rmSync(home, { recursive: true })
  }
})
