import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Duplex } from 'node:stream'
import { join } from 'node:path'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { testService } from '../../test/kit/service.ts'
import { main } from '../src/main.ts'
import { tlsServer } from './tls-server.ts'

/** A proxy that tunnels every host to the service, and remembers whom it was asked for. */
async function startProxy(servicePort: number) {
  const asked: string[] = []
  const tunnels = new Set<Duplex>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    const target = connect(servicePort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    for (const end of [socket, target]) {
      tunnels.add(end)
      end.on('error', () => end.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    for (const end of tunnels) end.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { asked, port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: stop }
}

test('commands use the proxy of the environment, not for NO_PROXY or this machine, and never print its password', async () => {
  await using service = await testService({ KITSEAL_ISSUER: 'http://kitseal.invalid:8080' })
  await using proxy = await startProxy(Number(new URL(service.base).port))
  const home = mkdtempSync(join(tmpdir(), 'kitseal-proxy-'))
  const url = `http://user:secret@127.0.0.1:${proxy.port}`
  const run = async (env: Record<string, string>) => {
    let shown = ''
    const output = { write: (text: string) => void (shown += text) }
    const key = service.service.firstApiKey ?? ''
    const all = { HOME: home, KITSEAL_API_KEY: key, KITSEAL_URL: 'http://kitseal.invalid:8080', ...env }
    const code = await main(['status', '--json'], { env: all, stdout: output, stderr: output })
    return { code, shown }
  }
  try {
    for (const name of ['HTTP_PROXY', 'http_proxy']) {
      const { code, shown } = await run({ [name]: url })
      assert.equal(code, 0, shown)
      const credentials = Buffer.from('user:secret').toString('base64')
      assert.equal(proxy.asked.pop(), `kitseal.invalid:8080 Basic ${credentials}`)
    }
    assert.equal((await run({ HTTP_PROXY: url.replace('http://', '') })).code, 0, 'without http://')

    proxy.asked.length = 0
    assert.equal((await run({ HTTP_PROXY: url, KITSEAL_URL: service.base })).code, 0)
    assert.deepEqual(proxy.asked, [], 'this machine')
    assert.equal((await run({ HTTP_PROXY: url, NO_PROXY: 'other.example, kitseal.invalid' })).code, 2)
    assert.deepEqual(proxy.asked, [], 'a host in NO_PROXY')
    for (const [code, env] of [
      [2, { HTTPS_PROXY: 'socks5://user:secret@127.0.0.1:1' }],
      [2, { HTTPS_PROXY: 'http://user:secret@:x' }],
    ] as const) {
      const refused = await run(env)
      assert.equal(refused.code, code)
      assert.match(refused.shown, /HTTPS_PROXY is not the URL of an http or https proxy/)
      assert.doesNotMatch(refused.shown, /secret/)
    }
  } finally {
    rmSync(home, { recursive: true })
  }
})

test('a service with https is reached through a tunnel of the proxy, which sees neither key nor content', async () => {
  await using service = await testService({ KITSEAL_ISSUER: 'https://kitseal.invalid' })
  await using tls = await tlsServer('kitseal.invalid', Number(new URL(service.base).port))
  await using proxy = await startProxy(tls.port)
  const home = mkdtempSync(join(tmpdir(), 'kitseal-proxy-'))
  const trusted = getCACertificates()
  const status = async (proxyUrl: string, json: readonly string[]) => {
    let shown = ''
    const output = { write: (text: string) => void (shown += text) }
    const env = {
      HOME: home,
      KITSEAL_API_KEY: service.service.firstApiKey ?? '',
      KITSEAL_URL: 'https://kitseal.invalid',
      HTTPS_PROXY: proxyUrl,
      HTTP_PROXY: 'http://127.0.0.1:1',
    }
    const code = await main(['status', ...json], { env, stdout: output, stderr: output })
    return { code, shown }
  }
  try {
    const url = `http://user:p@ss%20secret@127.0.0.1:${proxy.port}`
    for (const json of [[], ['--json']]) {
      const untrusted = await status(url, json)
      assert.equal(untrusted.code, 2, untrusted.shown)
      assert.match(untrusted.shown, /certificate/)
      assert.ok(
        untrusted.shown.includes(`through the proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY).`),
        untrusted.shown,
      )
      assert.doesNotMatch(untrusted.shown, /user|p@ss|secret/)
    }

    setDefaultCACertificates([...trusted, tls.certificate])
    proxy.asked.length = 0
    const { code, shown } = await status(url, ['--json'])
    assert.equal(code, 0, shown)
    const credentials = Buffer.from('user:p@ss secret').toString('base64')
    assert.deepEqual([...new Set(proxy.asked)], [`kitseal.invalid:443 Basic ${credentials}`])
  } finally {
    setDefaultCACertificates(trusted)
    rmSync(home, { recursive: true })
  }
})

test('a proxy that refuses to connect is named at once, with its status and what to do, and without its password', async () => {
  let status = '403 Forbidden'
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connect', (_request, socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const home = mkdtempSync(join(tmpdir(), 'kitseal-proxy-'))
  const run = async (...args: readonly string[]) => {
    let shown = ''
    const output = { write: (text: string) => void (shown += text) }
    const env = { HOME: home, KITSEAL_API_KEY: 'ks_x', HTTPS_PROXY: `http://user:secret@${host}` }
    const code = await main(args, { env, stdout: output, stderr: output })
    assert.equal(code, 2, shown)
    assert.doesNotMatch(shown, /secret|Retrying|cancelled/)
    return shown
  }
  try {
    const url = 'https://kitseal.invalid'
    for (const command of [
      ['status', '--url', url],
      ['trust', 'add', url, '--yes'],
    ])
      assert.ok(
        (await run(...command)).includes(
          `the proxy ${host} (HTTPS_PROXY) refused to connect to kitseal.invalid: status 403. Ask its operator to allow kitseal.invalid, or add kitseal.invalid to NO_PROXY if it can be reached directly.`,
        ),
        command.join(' '),
      )
    status = '407 Proxy Authentication Required'
    const { error } = JSON.parse(await run('status', '--url', url, '--json')) as {
      error: Record<string, string>
    }
    assert.equal(error['code'], 'service_unreachable')
    assert.match(
      error['message'] ?? '',
      /status 407\. It asks for a user name and a password: set HTTPS_PROXY to http:\/\/USER:PASSWORD@127/,
    )
  } finally {
    server.close()
    rmSync(home, { recursive: true })
  }
})
