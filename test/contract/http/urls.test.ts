import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { member } from '../../kit/console.ts'
import { printedRoutes } from '../../kit/routes.ts'
import { samplePages } from '../../kit/pages.ts'
import { type TestService, testService } from '../../kit/service.ts'

let service: TestService
let routes: readonly (readonly [method: string, path: string])[]
const pages = samplePages()

before(async () => {
  service = await testService({}, undefined, { pages: pages.folder })
  routes = printedRoutes(service.service.app).map(([method, path]) => [
    method,
    path.replaceAll(/:\w+/g, 'x').replace('*', 'some/name'),
  ])
  assert.ok(routes.length > 60)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  pages[Symbol.dispose]()
})

/** Pages and their files, which ignore parameters, and the redirect of a sign-in provider. */
const IGNORES_QUERY =
  /^\/(?:$|verify|verifier\.html|assets\/|favicon\.svg|llms\.txt|docs|log$|[rs]\/x$|console$|console\/(?!api\/)|console\/api\/oidc\/callback$)/

const send = (method: string, path: string): Promise<Response> =>
  fetch(service.base + path, { method, redirect: 'manual' })

test('an unknown query parameter is 400 on every route of the API and the console', async () => {
  for (const [method, path] of routes.filter(([, each]) => !IGNORES_QUERY.test(each))) {
    const response = await send(method, `${path}?utm_source=mail`)
    // Routes that have parameters check them after the key, the session or the link.
    if (response.status === 401 || (path.startsWith('/r/x/') && response.status === 404))
      assert.equal((await send(method, path)).status, response.status)
    else if (method === 'HEAD') assert.equal(response.status, 400, `${method} ${path}`)
    else {
      const { code, message } = (await response.json()) as { code: string; message: string }
      assert.deepEqual([response.status, code], [400, 'query_invalid'], `${method} ${path}`)
      assert.match(message, /"utm_source" is not allowed here/)
    }
  }
})

test('a parameter of a list that has others is 400 too', async () => {
  const key = service.service.firstApiKey ?? ''
  for (const path of ['/v1/submissions', '/v1/credits', '/v1/audit'])
    for (const [query, status] of [
      ['limit=1', 200],
      ['limit=1&page=2', 400],
    ] as const) {
      const response = await fetch(`${service.base}${path}?${query}`, { headers: { 'x-api-key': key } })
      assert.equal(response.status, status, `${path}?${query}`)
    }
})

test('a request of a member with unknown parameters is rejected', async () => {
  const owner = await member(service)
  for (const path of [
    '/v1/overview',
    '/v1/compare',
    '/v1/submissions',
    '/v1/audit',
    '/members',
    '/v1/kits/x',
  ]) {
    const { status, json } = await owner.get(`${path}?utm_source=mail`)
    assert.deepEqual([status, json['code']], [400, 'query_invalid'], path)
  }
})

test('pages and their files ignore unknown parameters', async () => {
  const found = routes.filter(([, path]) => IGNORES_QUERY.test(path))
  assert.ok(found.length > 8)
  for (const [method, path] of found) {
    const [plain, tracked] = [await send(method, path), await send(method, `${path}?utm_source=mail`)]
    assert.equal(tracked.status, plain.status, path)
    assert.notEqual(tracked.status, 400, path)
  }
})

test('the value of an unknown parameter is not repeated, and a long name is cut', async () => {
  const text = await (await send('GET', `/healthz?api_key=SECRET&${'x'.repeat(5000)}=1`)).text()
  assert.match(text, /"query_invalid"/)
  assert.ok(!text.includes('SECRET') && text.length < 1000)
})

test('an empty query is no parameter', async () => {
  assert.equal((await send('GET', '/healthz?')).status, 200)
})

test('a path with a trailing slash is redirected to the path without it, on every route', async () => {
  for (const [method, path] of routes) {
    if (path === '/') continue
    for (const slashes of ['/', '//'])
      for (const query of ['', '?a=b']) {
        const response = await send(method, path + slashes + query)
        assert.equal(response.status, 308, `${method} ${path}${slashes}`)
        assert.equal(response.headers.get('location'), path + query)
        assert.equal(response.headers.get('cache-control'), 'no-store')
        assert.equal(await response.text(), '')
      }
  }
})

test('a redirected request keeps its method, body and key', async () => {
  const response = await fetch(`${service.base}/v1/intake/jobs/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'with a slash' }),
  })
  assert.equal(response.status, 202)
  const key = { 'x-api-key': service.service.firstApiKey ?? '' }
  assert.equal((await fetch(`${service.base}/v1/credits/`, { headers: key })).status, 200)
})

test('a path that is no route is 404 with a trailing slash, and never redirects to another host', async () => {
  for (const path of ['/nowhere/', '/v1/', '/v1/kits/', '//', '///', '//other.example/', '/\\other.example/'])
    assert.equal((await send('GET', path)).status, 404, path)
})
