import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ObjectsUnavailable } from './objects/object-store.ts'
import { serve } from './serve.ts'
import { startService } from './services.ts'
import { StoppedWaiting, startupWait } from './startup-wait.ts'
import { cutProxy } from '../../test/kit/proxy.ts'
import { freePort } from '../../test/kit/free-port.ts'
import { newDatabase, sharedPostgres } from '../../test/kit/postgres.ts'
import { ownPlaces } from '../../test/kit/service.ts'
import { testConfig } from '../../test/kit/service.ts'
import { until } from '../../test/kit/until.ts'

const SILENT = { warn: () => {}, info: () => {} }
const answerOf = async (url: string) => {
  const response = await fetch(url).catch(() => undefined)
  return response && { status: response.status, body: await response.text() }
}

test('while the object store is down at the start, the port says that it is alive, not ready, and why', async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const said: string[] = []
  const log = { ...SILENT, warn: (_: object, text: string) => void said.push(text) }
  let isDown = true
  await using waiting = startupWait({ host: '127.0.0.1', port }, log, () => false)
  const step = waiting.until(async () => {
    if (isDown) throw new ObjectsUnavailable('is unavailable (ETIMEDOUT)')
    return 'stored'
  })
  await until(async () => (await answerOf(`${base}/readyz`))?.status === 503)
  assert.match(
    String((await answerOf(`${base}/readyz`))?.body),
    /Not ready: waiting for the object store is unavailable \(ETIMEDOUT\)/,
  )
  assert.equal((await answerOf(`${base}/healthz`))?.status, 200)
  assert.equal((await answerOf(`${base}/v1/kits`))?.status, 503)
  isDown = false
  assert.equal(await step, 'stored')
  assert.deepEqual([said.length, waiting.reason], [1, undefined])
  await waiting[Symbol.asyncDispose]()
  assert.equal(await answerOf(`${base}/healthz`), undefined, 'the port is free for the service')
})

test('other errors are not waited for, and a stop ends the wait', async () => {
  await using waiting = startupWait({ host: '127.0.0.1', port: 0 }, SILENT, () => true)
  await assert.rejects(
    waiting.until(() => Promise.reject(new Error('a bug'))),
    { message: 'a bug' },
  )
  await assert.rejects(
    waiting.until(() => Promise.reject(new ObjectsUnavailable('is unavailable'))),
    StoppedWaiting,
  )
})

test('a node that starts while PostgreSQL is silent, before and after it listens, waits, says why, and then starts', async () => {
  await using server = await sharedPostgres()
  const url = new URL(await newDatabase(server.url))
  await using proxy = await cutProxy(`http://${url.host}`)
  url.host = new URL(proxy.url).host
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-wait-'))
  const port = await freePort()
  const settings = {
    KITSEAL_DATA: folder,
    KITSEAL_DATABASE_URL: url.href,
    KITSEAL_PORT: String(port),
    KITSEAL_METRICS_LISTEN: 'off',
    ...ownPlaces(),
  }
  try {
    for (const outage of ['cut', 'swallow'] as const) {
      proxy[outage]()
      let log = ''
      let isCut = false
      const starting = startService(testConfig(settings), {
        log: { write: (text) => (log += text) },
        // The log is first used after the service listens.
        onStatement: (text) => {
          if (isCut || !text.includes('"log"')) return
          isCut = true
          proxy[outage]()
        },
      })
      const readiness = () => answerOf(`http://127.0.0.1:${port}/readyz`)
      await until(async () => (await readiness())?.status === 503)
      assert.match(String((await readiness())?.body), /Not ready: waiting for the database \(/)
      proxy.mend()
      await until(async () => /work \(waiting for the database \(/.test(String((await readiness())?.body)))
      proxy.mend()
      await using service = await starting
      await until(async () => (await answerOf(`${service.address}/readyz`))?.status === 200)
      await until(async () => /not ready: waiting for the database/.test(log))
    }
    proxy.cut()
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    const sink = { write: () => {} }
    const serving = serve({ env: settings, flags: {}, stdout: sink, stderr: sink, stopped })
    await until(async () => (await answerOf(`http://127.0.0.1:${port}/readyz`))?.status === 503)
    resolve()
    assert.equal(await serving, 0, 'it stops while it waits')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
