import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { browser } from '../../kit/console.ts'
import { samplePages } from '../../kit/pages.ts'
import { type TestService, testService } from '../../kit/service.ts'

const local = ({ base }: TestService): string => base.replace('127.0.0.1', 'localhost')

test('each page is served with a policy that allows only files of the service', async () => {
  using pages = samplePages()
  await using service = await testService({}, undefined, { pages: pages.folder })
  for (const [path, page, caching] of [
    ['/verify', 'verify', 'no-cache'],
    ['/verify/kit_AAAAAAAAAAAAAAAAAAAAAAAAAAA', 'verify', 'no-cache'],
    ['/console', 'console', 'no-store'],
    ['/console/submissions/sub_x', 'console', 'no-store'],
    ['/console/invite', 'console', 'no-store'],
  ] as const) {
    const response = await fetch(local(service) + path, { headers: { accept: 'text/html,*/*;q=0.8' } })
    assert.equal(await response.text(), `<p>${page}</p>`, path)
    assert.equal(response.headers.get('cache-control'), caching, path)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self';/, path)
    assert.match(policy, /frame-ancestors 'none'/, path)
    assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe|https?:|\*/, path)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path)
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer', path)
    assert.equal(response.headers.get('x-frame-options'), 'DENY', path)
  }
})

test('the home page and the log are written by the service, without scripts, in the language of the reader', async () => {
  using pages = samplePages()
  await using service = await testService({}, undefined, { pages: pages.folder })
  for (const [path, accepted, said] of [
    ['/', 'de-CH,de;q=0.9', 'home de'],
    ['/', 'nl', 'home en'],
    ['/?lang=de', 'en', 'home de'],
    ['/log', 'en', 'EMPTY_LOG'],
  ] as const) {
    const response = await fetch(service.base + path, { headers: { 'accept-language': accepted } })
    const html = await response.text()
    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('cache-control'), 'no-cache')
    assert.match(response.headers.get('vary') ?? '', /accept-language/)
    if (said === 'EMPTY_LOG') assert.ok(html.includes('/log</dd>'), 'the log is named')
    else assert.ok(html.includes(said), `${path} in ${accepted}`)
    assert.doesNotMatch(html, /<script|<style|\sstyle=|\son\w+=/)
  }
  assert.match(
    (await fetch(`${service.base}/assets/site.css`)).headers.get('content-type') ?? '',
    /^text\/css/,
  )
})

test('a missing page is HTML for browsers and an ErrorResponse for programs', async () => {
  using pages = samplePages()
  await using service = await testService({}, undefined, { pages: pages.folder })
  const fetchAs = (path: string, accept: string) => fetch(service.base + path, { headers: { accept } })
  const page = await fetchAs('/no/such/page', 'text/html,*/*;q=0.8')
  assert.deepEqual([page.status, page.headers.get('cache-control')], [404, 'no-store'])
  assert.match(await page.text(), /<h1>not found en<\/h1>/)
  for (const [path, accept] of [
    ['/no/such/page', '*/*'],
    ['/no/such/page', 'application/json'],
    ['/v1/nothing', 'text/html'],
    ['/console/api/nothing', 'text/html'],
  ] as const) {
    const response = await fetchAs(path, accept)
    assert.equal(response.status, 404, path)
    assert.equal(((await response.json()) as { code: string }).code, 'route_not_found', path)
  }
})

test('assets are cached forever by hashed name, and compressed if the client accepts it', async () => {
  using pages = samplePages()
  await using service = await testService({}, undefined, { pages: pages.folder })
  const sizes = new Map<string, number>()
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', 'none'],
  ] as const) {
    const { headers, bytes } = await rawGet(`${service.base}/assets/app-Ab12.js`, {
      'accept-encoding': accepted,
    })
    assert.equal(headers['content-encoding'] ?? 'none', encoding, accepted)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['vary'], 'accept-encoding')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    sizes.set(encoding, bytes)
    const again = await rawGet(`${service.base}/assets/app-Ab12.js`, {
      'accept-encoding': accepted,
      'if-none-match': String(headers.etag),
    })
    assert.deepEqual([again.status, again.bytes], [304, 0])
  }
  assert.ok((sizes.get('br') ?? 0) < (sizes.get('none') ?? 0) / 10)
})

test('only built files are served', async () => {
  using pages = samplePages()
  writeFileSync(join(pages.folder, 'inputs.json'), '[]')
  await using service = await testService({}, undefined, { pages: pages.folder })
  for (const path of [
    '/assets/../verify.html',
    '/assets/..%2fverify.html',
    '/assets/%2e%2e/verify.html',
    '/assets/.vite',
    '/assets/none-Ab12.js',
    '/assets/',
    '/inputs.json',
    '/console.html',
    '/console/api/nothing',
  ]) {
    const { status } = await rawGet(service.base + path, {})
    assert.equal(status, 404, path)
  }
})

test('the console on a loopback address redirects to localhost, because passkeys need a domain', async () => {
  using pages = samplePages()
  await using service = await testService({}, undefined, { pages: pages.folder })
  const response = await fetch(`${service.base}/console/keys?a=b`, { redirect: 'manual' })
  assert.deepEqual(
    [response.status, response.headers.get('location')],
    [302, `${local(service)}/console/keys?a=b`],
  )
})

test('without built pages the service says how to build them, and the API works', async () => {
  await using service = await testService({}, undefined, { pages: join(tmpdir(), 'kitseal-no-pages') })
  for (const path of ['/', '/console']) {
    const response = await fetch(local(service) + path)
    const { code, message } = (await response.json()) as { code: string; message: string }
    assert.deepEqual([response.status, code], [503, 'pages_not_built'])
    assert.match(message, /npm run build/)
  }
  const verifier = await fetch(`${service.base}/verify/kit_AAAAAAAAAAAAAAAAAAAAAAAAAAA`)
  assert.match(await verifier.text(), /<script/)
  assert.equal((await browser(service).get('/public')).status, 200)
})

test('a client that accepts JSON gets no HTML', async () => {
  using pages = samplePages()
  await using service = await testService({}, undefined, { pages: pages.folder })
  const response = await service.call('/', { headers: { accept: 'application/json' } })
  assert.deepEqual([response.status, response.json['code']], [404, 'route_not_found'])
})

test('rebuilt pages are served at once', async () => {
  using pages = samplePages()
  await using service = await testService({}, undefined, { pages: pages.folder })
  const page = async (): Promise<string> => (await fetch(`${local(service)}/console`)).text()
  assert.equal(await page(), '<p>console</p>')
  writeFileSync(join(pages.folder, 'console.html'), '<p>the console, again</p>')
  assert.equal(await page(), '<p>the console, again</p>')
})

/** Without decompression, unlike `fetch`. */
function rawGet(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: number }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const path = url.slice(url.indexOf('/', 'http://'.length))
    get({ hostname, port, path, headers, agent: false }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => (bytes += piece.length))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
      )
    }).on('error', reject)
  })
}

test('the Python verifier is served as a download, as it is in the repository', async () => {
  await using service = await testService()
  const url = `${service.base}/verify/kitseal-verify.py`
  const response = await fetch(url)
  const source = readFileSync(join(import.meta.dirname, '../../../spec/independent/kitseal-verify.py'))
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(source))
  assert.equal(response.headers.get('content-type'), 'text/x-python; charset=utf-8')
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="kitseal-verify.py"')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  const again = await fetch(url, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
  assert.equal((await fetch(url, { method: 'HEAD' })).headers.get('content-length'), String(source.length))
})
