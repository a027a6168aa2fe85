import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, CALLERS, INVALID, type Premises, premises } from './access-callers.ts'
import { samplePages } from './sample-pages.ts'
import { type TestService, testService } from './test-service.ts'
import { form } from './workspace-client.ts'

let service: TestService
let place: Premises
const pages = samplePages()
before(async () => {
  service = await testService({}, undefined, { pages: pages.folder })
  place = await premises(service)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  pages[Symbol.dispose]()
})

type Statuses = Readonly<Record<Exclude<Caller, (typeof INVALID)[number]>, number>>

interface Row {
  readonly path: (at: Premises) => string
  readonly body?: (at: Premises) => { readonly type?: string; readonly content: string | Buffer | FormData }
  /** The status for each caller. Invalid keys get 401 everywhere. */
  readonly answers: Statuses
}

const EVERYONE = answers(200, 200, 200, 200)
/** Public by ID, but this workspace has private kits. */
const PRIVATE = answers(404, 404, 404, 200)
const OWN = answers(401, 404, 403, 200)

/** Every route and its status for each caller. A route without a row fails below. */
const ROUTES: Readonly<Record<string, Row>> = {
  'POST /v1/intake/jobs': {
    path: () => '/v1/intake/jobs',
    body: ({ owner }) => json({ tenant_id: owner.workspaceId, scope_label: 'in the name of another' }),
    answers: answers(202, 403, 403, 202),
  },
  'GET /v1/intake/jobs/:job_id': { path: ({ jobId }) => `/v1/intake/jobs/${jobId}`, answers: PRIVATE },
  'GET /v1/kits/:kit_id/manifest': { path: ({ kitId }) => `/v1/kits/${kitId}/manifest`, answers: PRIVATE },
  'GET /v1/kits/:kit_id/receipt': { path: ({ kitId }) => `/v1/kits/${kitId}/receipt`, answers: PRIVATE },
  'GET /v1/kits/:kit_id/download': { path: ({ kitId }) => `/v1/kits/${kitId}/download`, answers: PRIVATE },
  'POST /v1/verify/receipt': {
    path: () => '/v1/verify/receipt',
    body: ({ receipt }) => ({ type: 'application/json', content: receipt }),
    answers: EVERYONE,
  },
  'POST /v1/verify/kit': {
    path: () => '/v1/verify/kit',
    body: ({ kit }) => ({ type: 'application/zip', content: kit }),
    answers: EVERYONE,
  },
  'POST /v1/submissions': {
    path: () => '/v1/submissions',
    body: () => json({ label: 'another' }),
    answers: answers(401, 201, 403, 201),
  },
  'GET /v1/submissions': { path: () => '/v1/submissions', answers: answers(401, 200, 403, 200) },
  'GET /v1/submissions/:submission_id': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}`,
    answers: OWN,
  },
  'GET /v1/submissions/:submission_id/deliverables': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/deliverables`,
    answers: OWN,
  },
  'GET /v1/submissions/:submission_id/deliverables/*': {
    path: ({ submissionId }) => `/v1/submissions/${submissionId}/deliverables/kit.zip`,
    answers: OWN,
  },
  'POST /v1/submissions/:submission_id/evidence': {
    path: ({ pendingId }) => `/v1/submissions/${pendingId}/evidence`,
    body: () => ({ content: form({ 'a.txt': 'any content' }) }),
    answers: answers(401, 404, 403, 202),
  },
  'GET /v1/credits': { path: () => '/v1/credits', answers: answers(401, 200, 403, 200) },
  'GET /v1/audit': { path: () => '/v1/audit', answers: answers(401, 200, 403, 200) },
  'GET /': { path: () => '/', answers: EVERYONE },
  'GET /verify': { path: () => '/verify', answers: EVERYONE },
  'GET /verify/:kit_id': { path: ({ kitId }) => `/verify/${kitId}`, answers: EVERYONE },
  'GET /verifier.html': { path: () => '/verifier.html', answers: EVERYONE },
  'GET /assets/:file': { path: () => '/assets/app-Ab12.js', answers: EVERYONE },
  'GET /favicon.svg': { path: () => '/favicon.svg', answers: EVERYONE },
  'GET /.well-known/jwks.json': { path: () => '/.well-known/jwks.json', answers: EVERYONE },
  'GET /openapi.json': { path: () => '/openapi.json', answers: EVERYONE },
  'GET /schemas': { path: () => '/schemas', answers: EVERYONE },
  'GET /schemas/:file': { path: () => '/schemas/Receipt.json', answers: EVERYONE },
  'GET /docs': { path: () => '/docs', answers: EVERYONE },
  'GET /docs/docs.css': { path: () => '/docs/docs.css', answers: EVERYONE },
  'GET /docs/search': { path: () => '/docs/search?q=kit', answers: EVERYONE },
  'GET /docs/:kind/:page': { path: () => '/docs/reference/api', answers: EVERYONE },
  'GET /healthz': { path: () => '/healthz', answers: EVERYONE },
  'GET /readyz': { path: () => '/readyz', answers: EVERYONE },
  'GET /metrics': { path: () => '/metrics', answers: EVERYONE },
}

/** The console does not use API keys. server/test/console-* test its roles. */
const OF_THE_CONSOLE = /^[A-Z]+ \/(?:console|auth)(?:\/|$)/

test('every route is in the access matrix', () => {
  const routes = routesOf(service.service.app.printRoutes({ commonPrefix: false }))
  assert.ok(routes.length > 20)
  const ours = routes.filter((route) => !OF_THE_CONSOLE.test(route))
  assert.deepEqual(ours.toSorted(), Object.keys(ROUTES).toSorted())
})

for (const [route, row] of Object.entries(ROUTES))
  for (const caller of CALLERS) {
    const expected = row.answers[caller as keyof Statuses] ?? 401
    test(`${route} answers ${expected} to ${caller}`, async () => {
      const answer = await send(route, row, caller)
      assert.equal(answer.status, expected, (await answer.text()).slice(0, 300))
      if (route.startsWith('GET ')) {
        assert.equal((await send(route.replace('GET', 'HEAD'), row, caller)).status, expected, 'HEAD')
      }
    })
  }

test('every invalid key gets the same response', async () => {
  const row = ROUTES['GET /v1/credits']!
  const texts = await Promise.all(INVALID.map(async (caller) => (await send('GET', row, caller)).text()))
  const same = new Set(texts.map((text) => text.replace(/"request_id":"[^"]*"/, '')))
  assert.equal(same.size, 1, [...same].join('\n'))
})

test('resources of another workspace look like missing ones', async () => {
  for (const path of [
    `/v1/submissions/${place.submissionId}`,
    `/v1/submissions/${place.submissionId}/deliverables/kit.zip`,
    `/v1/kits/${place.kitId}/receipt`,
    `/v1/intake/jobs/${place.jobId}`,
  ]) {
    const nowhere = path.replace(/((?:sub|kit|job)_).{10}/, '$1AAAAAAAAAA')
    const [theirs, none] = await Promise.all([path, nowhere].map((each) => said(each, 'other workspace')))
    assert.equal(theirs, none, path)
  }
})

test("lists show no other workspace's submissions, events or credits", async () => {
  for (const path of ['/v1/submissions', '/v1/audit', '/v1/credits']) {
    const text = await said(path, 'other workspace')
    for (const secret of [place.submissionId, place.owner.workspaceId, place.jobId, place.kitId])
      assert.ok(!text.includes(secret), `${path} shows ${secret}`)
  }
})

test('a receipt of a private kit can be verified, and a forged one reveals nothing about the kit', async () => {
  const row = ROUTES['POST /v1/verify/receipt']!
  const verdict = async (receipt: string): Promise<{ status: string; errors: readonly string[] }> => {
    const body = (): { type: string; content: string } => ({ type: 'application/json', content: receipt })
    return (await (await send('POST', { ...row, body }, 'nobody')).json()) as {
      status: string
      errors: string[]
    }
  }
  assert.equal((await verdict(place.receipt)).status, 'PASS')
  const made = place.receipt.replaceAll(
    /"(manifest_sha256|manifest_root_hash)":"[^"]*"/g,
    `"$1":"${'0'.repeat(64)}"`,
  )
  const { status, errors } = await verdict(made)
  assert.equal(status, 'FAIL')
  const manifest = (await place.owner.get(`/v1/kits/${place.kitId}/manifest`)).json
  for (const { path, sha256 } of manifest['artifacts'] as readonly { path: string; sha256: string }[])
    for (const error of errors) assert.ok(!error.includes(path) && !error.includes(sha256), error)
  for (const error of errors) assert.ok(!error.includes(String(manifest['manifest_sha256'])), error)
})

function answers(nobody: number, other: number, barred: number, owner: number): Statuses {
  return { nobody, 'other workspace': other, 'no entitlement': barred, owner }
}

function json(value: object): { readonly type: string; readonly content: string } {
  return { type: 'application/json', content: JSON.stringify(value) }
}

function send(route: string, { path, body }: Row, caller: Caller): Promise<Response> {
  const key = place.keys[caller]
  const sent = body?.(place)
  return fetch(service.base + path(place), {
    method: route.split(' ')[0] ?? 'GET',
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(sent?.type === undefined ? {} : { 'content-type': sent.type }),
    },
    ...(sent === undefined ? {} : { body: sent.content as string }),
  })
}

async function said(path: string, caller: Caller): Promise<string> {
  const answer = await send('GET', { path: () => path, answers: EVERYONE }, caller)
  return `${answer.status} ${(await answer.text()).replace(/"request_id":"[^"]*"/, '')}`
}

/** `METHOD /path` of each route that Fastify prints. */
function routesOf(tree: string): readonly string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
    if (segment === '') return []
    const depth = indent.length / 4
    above[depth] = (above[depth - 1] ?? '') + (segment === '*' ? '/*' : segment)
    const own = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD')
    return own.map((method) => `${method} ${above[depth]}`)
  })
}
