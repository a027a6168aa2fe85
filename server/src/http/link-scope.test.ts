import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { systemClock } from '../runtime/clock.ts'
import { admit } from './admission.ts'
import { handleErrors } from './error-handler.ts'
import { observeRequests, requestTimes } from './observe-requests.ts'
import { isWithinRate, LINKS_PER_MINUTE } from './rate-limits.ts'
import { routeTable } from './route-table.ts'
import { jsonLog } from '../runtime/logger.ts'
import { Refusal } from '../refusals.ts'
import { linkScope } from './link-scope.ts'
import { makeSecret } from '../database/secret.ts'

test('logs, metrics and responses do not hold the token, and every address is limited', async () => {
  const app = Fastify()
  let logged = ''
  const log = jsonLog('debug', { write: (line: string) => void (logged += line) }, systemClock)
  const times = requestTimes()
  handleErrors(app, log, routeTable(app))
  admit(app, {
    headers: {},
    crossOrigin: { headers: () => undefined, preflight: () => false },
    rules: [],
    resolveSession: () => undefined,
    authenticate: async () => undefined,
    redirect: () => undefined,
    callerRules: [isWithinRate({ is: 'on', intakePerMinute: 1, verifyPerMinute: 1 }, systemClock)],
  })
  observeRequests(app, log, times)
  for (const prefix of ['/s/:token', '/r/:token'] as const)
    linkScope(app, prefix, (scope) => {
      scope.get('/', async () => ({ ok: true }))
      scope.get('/broken', async () => {
        throw new Error('a bug')
      })
      scope.get('/refused', async () => {
        throw new Refusal('kit_not_found', 'Kit not found.')
      })
    })
  const { text: token } = makeSecret()
  const seen: string[] = []
  for (const prefix of ['s', 'r'])
    for (const [path, status] of Object.entries({ '': 200, '/broken': 500, '/refused': 404, '/none': 404 })) {
      const response = await app.inject(`/${prefix}/${token}${path}`)
      assert.equal(response.statusCode, status, path)
      seen.push(response.body, JSON.stringify(response.headers))
      if (path === '/none') continue
      assert.equal(response.headers['referrer-policy'], 'no-referrer')
      assert.equal(response.headers['cache-control'], 'no-store')
      assert.equal(response.headers['x-robots-tag'], 'noindex, nofollow')
    }
  assert.match(logged, /"route":"\/s\/:token\/broken"/)
  assert.match(logged, /a bug/)
  for (const text of [logged, times.text(), ...seen]) assert.ok(!text.includes(token))

  const codes = new Set<number>()
  for (let count = 0; count <= LINKS_PER_MINUTE; count += 1)
    codes.add((await app.inject(`/s/${makeSecret().text}`)).statusCode)
  assert.deepEqual(codes, new Set([200, 429]))
  const elsewhere = await app.inject({ url: `/s/${token}`, remoteAddress: '192.0.2.7' })
  assert.equal(elsewhere.statusCode, 200)
})
