import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

let service: TestService

before(async () => {
  service = await testService()
})
after(() => service[Symbol.asyncDispose]())

interface Api {
  readonly info: { readonly description: string }
  readonly paths: Readonly<
    Record<string, { readonly post?: { readonly description?: string; readonly requestBody?: unknown } }>
  >
}

test('the documented body limits are enforced', async () => {
  const client = await workspaceClient(service)
  const { paths } = (await service.call('/openapi.json')).json as unknown as Api
  const posts = Object.entries(paths).flatMap(([path, { post }]) =>
    post === undefined ? [] : [{ path, post }],
  )
  const limited = posts.filter(
    ({ path, post }) => post.requestBody !== undefined && !/\/(evidence|uploads)$/.test(path),
  )
  assert.equal(limited.length, 28)
  for (const { path, post } of limited) {
    const [, limit] = /Body limit: ([\d,]+) bytes\./.exec(post.description ?? '') ?? []
    assert.ok(limit !== undefined, `${path} names no limit`)
    const sizeBytes = Number(limit.replaceAll(',', ''))
    if (path === '/v1/verify/kit') continue
    const sized = (length: number) => client.post(path, '{}'.padEnd(length))
    assert.notEqual((await sized(sizeBytes)).status, 413, path)
    assert.equal((await sized(sizeBytes + 1)).status, 413, path)
  }
})

test('the documented evidence limits are enforced', async () => {
  const { info } = (await service.call('/openapi.json')).json as unknown as Api
  const page = readFileSync(new URL('../../../docs/reference/evidence-rules.md', import.meta.url), 'utf8')
  const bytes = '104,857,600'
  for (const text of [info.description, page])
    for (const limit of [bytes, '1,000']) assert.ok(text.includes(limit))
  const client = await workspaceClient(service)
  const id = await client.submission()
  assert.equal((await client.upload(id, files(1002))).status, 400)
  assert.equal((await client.upload(id, files(1000))).status, 202)
})

const files = (count: number): FormData =>
  form(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, `${index}`])))
