import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, inviteLink } from '../../test/kit/console.ts'
import { testService } from '../../test/kit/service.ts'
import type { Me } from '../../web/src/core/console-types.generated.ts'
import { ApiError, createClient } from '../src/index.ts'

test('a page uses the API and the calls of the console with a session', async () => {
  await using service = await testService()
  const user = browser(service)
  const stop = new AbortController()
  const client = createClient({
    baseUrl: service.base,
    headers: { 'x-console-request': '1' },
    retry: { attempts: 1 },
    // As a browser does for a page of the service.
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('origin', user.origin)
      headers.set('cookie', [...user.cookies].map((pair) => pair.join('=')).join('; '))
      const response = await fetch(url, { ...init, headers })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        user.cookies.set(name, value)
      }
      return response
    },
  })
  const ask = (path: string, body?: object) =>
    client.request(body === undefined ? 'GET' : 'POST', `/console/api${path}`, {
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  const token = await inviteLink(service, 'ann@acme.example')
  const me = (await (await ask('/invitation/accept', { token, name: 'Ann' })).json()) as Me
  assert.deepEqual([me.member.email, me.member.name, me.member.role], ['ann@acme.example', 'Ann', 'owner'])
  const again = (await (await ask('/me')).json()) as Me
  assert.equal(again.workspace.workspace_id, me.workspace.workspace_id)

  const events = await client.streamEvents({}, { signal: stop.signal })
  const { submission_id } = await client.createSubmission({ label: 'Q3' })
  for await (const { type, subject } of events) {
    assert.deepEqual([type, subject], ['submission.created', submission_id])
    break
  }
  stop.abort()
  const { data: submissions } = await client.listSubmissions({ q: submission_id })
  assert.deepEqual(
    submissions.map(({ waiting, created_by }) => [waiting?.reason, created_by]),
    [['evidence', 'ann@acme.example']],
  )
  assert.equal((await ask('/sign-out', {})).status, 204)
  const ended = await ask('/me').catch((error: unknown) => error)
  assert.ok(ended instanceof ApiError && ended.code === 'session_required')
})
