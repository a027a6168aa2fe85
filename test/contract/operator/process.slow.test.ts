import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serviceProcess } from '../../kit/service-process.ts'
import { until } from '../../kit/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-process-'))
after(() => rmSync(folder, { recursive: true }))

let firstStart = ''

test('the links of the first start work, and its command logs in with its key', async () => {
  const service = await serviceProcess({ KITSEAL_DATA: join(folder, 'session') })
  const text = service.stdout()
  firstStart = readFileSync(join(folder, 'session', 'first-start.txt'), 'utf8')
  const login = /log in +(?:npx )?kitseal (login \S+)/.exec(firstStart)?.[1]?.split(' ') ?? []
  writeFileSync(join(folder, 'key.txt'), /API key +(\S+)/.exec(firstStart)?.[1] ?? '')
  const kitseal = fileURLToPath(new URL('../../../cli/bin/kitseal.cjs', import.meta.url))
  const args = [kitseal, ...login, '--yes', '--key-file', join(folder, 'key.txt')]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, HOME: folder },
  })
  assert.match(stdout, /^Logged in to http/m)
  const links = /docs +(\S+)\n +verifier +(\S+)\n +console +(\S+)/.exec(text)?.slice(1) ?? ['']
  const invitation = /^ +sign in +(http\S+\/console\/invite#\S+)$/m.exec(firstStart)?.[1] ?? ''
  for (const path of [...links, invitation]) assert.equal((await fetch(path)).status, 200, path)
  assert.equal(await service.end('SIGTERM'), 0)
  assert.equal(statSync(join(folder, 'session', 'kitseal.sqlite')).mode & 0o777, 0o600)
})

test('the key of the first workspace is handed over once, and not in the log; shutdown finishes requests in progress, rejects new ones, and exits with 0', async () => {
  assert.match(firstStart, /API key +ks_key_/)
  const service = await serviceProcess({ KITSEAL_DATA: join(folder, 'session') })
  assert.doesNotMatch(service.stdout(), /ks_key_/)
  const body = JSON.stringify({ tenant_id: 'a', scope_label: 'b' })
  const { hostname, port } = new URL(service.base)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
  socket.write(
    `POST /v1/intake/jobs HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  await until(() => Buffer.concat(received).toString().startsWith('HTTP/1.1 100 '))
  const ended = service.end('SIGTERM')
  await until(async () => service.stdout().includes('Stopping'))
  socket.write(body)
  assert.equal(await ended, 0)
  assert.match(Buffer.concat(received).toString(), /^HTTP\/1\.1 202 /m)
  socket.destroy()
})

test('a port that is in use is reported clearly', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const start = serviceProcess({ KITSEAL_DATA: join(folder, 'taken'), KITSEAL_PORT: `${port}` })
  await assert.rejects(start, /ended \(1\).*port \d+ on 127\.0\.0\.1 is in use\..*--port\.\n$/)
  other.close()
})

test('a data folder that cannot be created is reported at once', async () => {
  for (const place of ['/proc/nowhere', join(import.meta.filename, 'below')]) {
    await assert.rejects(
      serviceProcess({ KITSEAL_DATA: place }),
      /ended \(1\).*cannot use .* as the data folder \(.*\)\. Choose another with --data\.\n$/,
    )
  }
})

test('all invalid settings are reported, and nothing is started', async () => {
  const start = serviceProcess({ KITSEAL_DATA: join(folder, 'wrong'), KITSEAL_PORT: 'x', KITSEAL_TYPO: '1' })
  await assert.rejects(start, /ended \(2\)[^]*KITSEAL_TYPO[^]*KITSEAL_PORT/)
  assert.equal(statSync(join(folder, 'wrong'), { throwIfNoEntry: false }), undefined)
})
