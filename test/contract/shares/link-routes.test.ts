import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService } from '@kitseal/server'
import { printedRoutes } from '../../kit/routes.ts'
import { samplePages } from '../../kit/pages.ts'
import { supplierClient } from '../../kit/supplier.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60_000
let aheadMs = 0
const clock = { now: () => Date.now() + aheadMs }
const pages = samplePages()
let service: TestService
let node: Awaited<ReturnType<typeof startService>>
let acme: WorkspaceClient
let kitId: string
before(async () => {
  service = await testService({}, clock, { pages: pages.folder })
  acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'SECRET of the kit' }))
  kitId = String((await acme.ended(id))['kit_id'])
  node = await startService({ ...service.config, role: 'api' }, { clock, log: { write: () => true } })
})
after(async () => {
  await node.stop()
  await service[Symbol.asyncDispose]()
  pages[Symbol.dispose]()
})

/** Every route below a link, from the table of the running service: a new one is in the test without a row. */
const routesBelow = (prefix: string) =>
  printedRoutes(service.service.app).filter(([, path]) => path === prefix || path.startsWith(`${prefix}/`))

interface Links {
  readonly share: string
  readonly request: string
  readonly submission: string
  revoke(): Promise<void>
}

async function newLinks(): Promise<Links> {
  const expires_at = new Date(clock.now() + DAY_MS).toISOString()
  const share = (await acme.post('/v1/shares', { kit_id: kitId, expires_at, note: 'SECRET note' })).json
  const asked = { title: 'SECRET title', items: [{ id: 'A', title: 'SECRET item' }] }
  const request = (await acme.post('/v1/requests', asked)).json
  const { url } = request['link'] as { readonly url: string }
  const supplier = supplierClient(service, url)
  const submission = await supplier.draft()
  await supplier.upload(submission, { 'A/a.txt': 'SECRET of the draft' })
  const remove = (path: string) =>
    service.call(path, { method: 'DELETE', headers: { 'x-api-key': acme.key } })
  return {
    share: String(share['url']).slice(-43),
    request: url.slice(-43),
    submission,
    revoke: async () => {
      assert.equal((await remove(`/v1/shares/${String(share['share_id'])}`)).status, 204)
      const id = String(request['evidence_request_id'])
      assert.equal((await remove(`/v1/requests/${id}/links`)).status, 204)
    },
  }
}

const NAMES: Readonly<Record<string, string>> = {
  ':position': '0',
  ':item_id': 'A',
  ':kit_id': 'kit_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':comment_id': 'cmt_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ':upload_id': 'upl_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '*': 'data/a.txt',
}

/** What each route answers, on both nodes. */
async function answers(prefix: '/s' | '/r', token: string, { submission }: Links) {
  const routes = routesBelow(`${prefix}/:token`)
  assert.ok(routes.length >= (prefix === '/s' ? 8 : 12), `${prefix} has only ${routes.length} routes`)
  return Promise.all(
    routes.flatMap(([method, route]) =>
      [service.base, node.address].map(async (base) => {
        const path = route
          .replace(':token', token)
          .replace(':submission_id', submission)
          .replace(/:\w+|\*/g, (name) => NAMES[name] ?? name)
        const response = await fetch(base + path, {
          method,
          headers: {
            'tus-resumable': '1.0.0',
            ...(WITH_BODY.has(method) ? { 'content-type': 'application/json' } : {}),
          },
          ...(WITH_BODY.has(method) ? { body: bodyFor(route) } : {}),
        })
        const text = await response.text()
        return { of: `${method} ${route}`, status: response.status, text, headers: response.headers }
      }),
    ),
  )
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** Valid where the body is read before the link. */
const bodyFor = (route: string): string => {
  const bodies: Readonly<Record<string, object>> = {
    '/s/:token/unlock': { password: '12345678' },
    '/s/:token/comments': { kit_id: kitId, text: 'x' },
    '/s/:token/comments/:comment_id': { state: 'resolved' },
    '/s/:token/reviews': { kit_id: kitId, is_reviewed: true },
  }
  return JSON.stringify(bodies[route] ?? { comment: 'x' })
}

/** The pages are the same for every token, and ask for the rest. */
const SHELLS = new Set(['GET /r/:token', 'HEAD /r/:token'])

async function assertClosed(prefix: '/s' | '/r', token: string, links: Links): Promise<void> {
  for (const { of, status, text, headers } of await answers(prefix, token, links)) {
    if (!SHELLS.has(of)) assert.ok(status === 404 || status === 410, `${of} answers ${status}: ${text}`)
    for (const secret of ['SECRET', kitId, token]) assert.ok(!text.includes(secret), `${of} shows ${secret}`)
    assert.equal(headers.get('referrer-policy'), 'no-referrer', of)
    assert.equal(headers.get('set-cookie'), null, of)
  }
}

test('no route below a link works after revocation or expiry, with an unknown token, or with one of another purpose', async () => {
  const links = await newLinks()
  for (const [prefix, token] of [
    ['/s', links.share],
    ['/r', links.request],
  ] as const)
    assert.ok(
      (await answers(prefix, token, links)).some(
        ({ status, text }) => status === 200 && text.includes('SECRET'),
      ),
      `${prefix} works before`,
    )
  await assertClosed('/s', links.request, links)
  await assertClosed('/r', links.share, links)
  for (const prefix of ['/s', '/r'] as const) await assertClosed(prefix, 'A'.repeat(43), links)

  await links.revoke()
  await assertClosed('/s', links.share, links)
  await assertClosed('/r', links.request, links)

  const others = await newLinks()
  aheadMs = 91 * DAY_MS
  await assertClosed('/s', others.share, others)
  await assertClosed('/r', others.request, others)
})
