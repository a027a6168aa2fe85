import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { administer, workspaceClient } from '../../kit/workspace.ts'

const FEDERATION = {
  label: 'CI',
  issuer: 'https://ci.example',
  claims: [{ claim: 'repository', equals: 'acme/evidence' }],
}
const CASES = [
  ['/v1/keys', { label: 'Build', scopes: ['read'] }, 'api_key'],
  ['/v1/webhooks', { url: 'https://hooks.example/' }, 'secret'],
  ['/v1/federation', FEDERATION, undefined],
] as const

test('a retry creates no second key, webhook or federation, and gets no secret again', async () => {
  await using service = await testService()
  const { workspaceId } = await workspaceClient(service)
  const apiKey = await administer(service, ({ keys }) =>
    keys.create(workspaceId as never, { label: 'all' }, { is: 'operator' }),
  )
  const headers = { 'x-api-key': apiKey.text, 'content-type': 'application/json' }
  const post = async (path: string, body: object, key: string) => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, 'idempotency-key': key },
    }
    const response = await fetch(service.base + path, init)
    return { response, json: (await response.json()) as Record<string, unknown> }
  }
  const count = async (path: string): Promise<number> => {
    const { data } = (await (await fetch(service.base + path, { headers })).json()) as { data: unknown[] }
    return data.length
  }
  for (const [path, body, secret] of CASES) {
    const before = await count(path)
    const [first, second] = await Promise.all([post(path, body, 'one'), post(path, body, 'one')])
    assert.deepEqual([first.response.status, second.response.status], [201, 201], path)
    const replays = [first, second].filter(
      ({ response }) => response.headers.get('idempotency-replayed') === 'true',
    )
    assert.equal(replays.length, 1, path)
    assert.equal(await count(path), before + 1, path)
    const made = first === replays[0] ? second : first
    const again = await post(path, body, 'one')
    assert.deepEqual(again.json, replays[0]?.json, path)
    if (secret === undefined) assert.deepEqual(again.json, made.json, path)
    else {
      assert.match(String(made.json[secret]), /^(ks|whsec)_/)
      assert.equal(made.json['notice'], undefined)
      assert.equal(again.json[secret] ?? null, null, path)
      assert.match(String(again.json['notice']), /secret is not shown again/)
      assert.ok(!JSON.stringify(again.json).includes(String(made.json[secret])))
    }
    assert.equal(again.response.headers.get('location'), made.response.headers.get('location'))
    assert.equal(
      (
        await post(
          path,
          { ...body, ...(path === '/v1/webhooks' ? { description: 'x' } : { label: 'Other' }) },
          'one',
        )
      ).response.status,
      409,
    )
    assert.equal((await post(path, body, 'two')).response.status, 201)
    assert.equal(await count(path), before + 2, path)
  }
})
