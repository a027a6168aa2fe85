import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Answered, member } from '../kit/console.ts'
import { testService } from '../kit/service.ts'
import { form, workspaceClient } from '../kit/workspace.ts'

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content | undefined>> }
}
interface Content {
  readonly schema: Schema
  readonly example?: unknown
}
interface Api {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
const api = JSON.parse(readFileSync(new URL('../../spec/openapi.json', import.meta.url), 'utf8')) as Api

/** Every value that differs from `base` by null at one place that the schema or the value has. */
function* nulled(base: unknown, schema: Schema = {}, depth = 0): Generator<unknown> {
  yield null
  if (depth > 4) return
  const { $ref, items, properties = {}, anyOf } = schema
  if ($ref !== undefined)
    return yield* nulled(base, api.components.schemas[$ref.split('/').at(-1) ?? ''], depth)
  if (anyOf !== undefined) for (const each of anyOf) yield* nulled(base, each, depth + 1)
  if (items !== undefined || Array.isArray(base)) {
    const [first, ...rest]: readonly unknown[] = Array.isArray(base) ? base : []
    for (const item of nulled(first ?? {}, items, depth + 1)) yield [item, ...rest]
    return
  }
  const object = typeof base === 'object' && base !== null ? (base as Readonly<Record<string, unknown>>) : {}
  for (const name of new Set([...Object.keys(properties), ...Object.keys(object)]))
    for (const value of nulled(object[name], properties[name], depth + 1)) yield { ...object, [name]: value }
}

test('null at any place of any body or query is the caller’s mistake by name, or nothing', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service, { credits: 500 })
  const id = await acme.submission({ series: 'quarterly' })
  await acme.upload(id, form({ 'a.txt': 'A note.\n' }))
  const { kit_id, job_id } = await acme.ended(id)
  const known: Record<string, unknown> = { submission_id: id, kit_id, job_id, series: 'quarterly' }
  const filled = (path: string): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known[name]))
  const found: string[] = []
  const look = (what: string, status: number, message: unknown): void => {
    if (status >= 500 || /connection closed/i.test(String(message)))
      found.push(`${what}: ${status} ${String(message)}`)
  }
  for (const [path, item] of Object.entries(api.paths))
    for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(item)) {
      if (operationId === 'streamEvents' || method === 'delete') continue
      const json = requestBody?.content['application/json']
      const send = (body: unknown) =>
        service.call(filled(path), {
          method: method.toUpperCase(),
          headers: { 'x-api-key': acme.key, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      if (json !== undefined) {
        const example = JSON.parse(
          JSON.stringify(json.example ?? {}).replaceAll(/kit_4X\w+/g, String(kit_id)),
        )
        Object.assign(known, { item_id: 'CC6.1', period: '2026-10', profile: 'board-pack' })
        const made = await send(example)
        look(operationId, made.status, made.json['message'])
        for (const [name, value] of Object.entries(made.json)) if (name.endsWith('_id')) known[name] ??= value
        for (const body of nulled(example, json.schema)) {
          const { status, json: answer } = await send(body)
          look(`${operationId} ${JSON.stringify(body)}`, status, answer['message'])
        }
      }
      for (const { name } of parameters.filter((each) => each.in === 'query')) {
        const target = `${filled(path)}?${name}=null&${name}=`
        const { status, json: answer } = await service.call(target, {
          method: method.toUpperCase(),
          headers: { 'x-api-key': acme.key },
        })
        look(`${operationId} ?${name}`, status, answer['message'])
      }
    }
  assert.deepEqual(found, [])
})

const KEYS = { name: 'Key', passkey: { id: 'x', type: 'public-key', response: { clientDataJSON: 'x' } } }

test('nor is null at any place of what pages send a bug of the service', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service, { credits: 100 })
  const owner = await member(service, 'owner', acme.workspaceId)
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'A note.\n' }))
  const kit_id = String((await acme.ended(id))['kit_id'])
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const made = async (path: string, body: object) => (await acme.post(path, body)).json
  const room = String((await made('/v1/rooms', { title: 'Audit', kits: [kit_id], expires_at }))['url'])
  const items = [{ id: 'A', title: 'Users' }]
  const asked = await made('/v1/requests', { title: 'Review', items, recipients: ['ann@acme.example'] })
  const request = String((asked['link'] as { readonly url: string }).url)
  const { members: me } = (await owner.get('/members')).json as unknown as {
    members: readonly { readonly member_id: string }[]
  }
  const [memberId = ''] = me.map(({ member_id }) => member_id)
  const PAGES: readonly (readonly [method: string, place: string, example: object])[] = [
    ['POST', `${room}/comments`, { kit_id, path: 'data/a.txt', text: 'Why?', kind: 'question', name: 'Ann' }],
    ['PATCH', `${room}/comments/1`, { state: 'resolved', name: 'Ann' }],
    ['PUT', `${room}/reviews`, { kit_id, path: 'data/a.txt', is_reviewed: true, name: 'Ann' }],
    ['POST', `${room}/unlock`, { password: 'x' }],
    ['POST', `${request}/items/A/comments`, { comment: 'Hello.' }],
    ['POST', `${request}/items/A/answer`, { not_applicable: 'None.' }],
    ['PUT', `${request}/sender`, { name: 'Ann' }],
    ['POST', `${request}/v1/submissions/${id}/evidence`, {}],
    ['POST', '/invitation', { token: 'x' }],
    ['POST', '/invitation/options', { token: 'x', name: 'Ann' }],
    ['POST', '/invitation/accept', { token: 'x', ...KEYS }],
    ['POST', '/sign-in/options', {}],
    ['POST', '/sign-in', { ...KEYS, response: KEYS.passkey }],
    ['POST', '/oidc/choose', { workspace_id: 'x' }],
    ['PATCH', '/me', { name: 'Ann', language: 'de', mail: { requests: true } }],
    ['POST', '/switch', { workspace_id: acme.workspaceId, member_id: memberId }],
    ['POST', '/passkeys/options', {}],
    ['POST', '/passkeys', { ...KEYS, response: KEYS.passkey }],
    ['PATCH', '/passkeys/x', { name: 'Key' }],
    ['POST', '/invitations', { email: 'bob@acme.example', role: 'member' }],
    ['PATCH', `/members/${memberId}`, { role: 'owner' }],
    ['PATCH', '/keys/x', { label: 'Key' }],
    ['PATCH', '/workspace', { name: 'Acme', language: 'de' }],
  ]
  const found: string[] = []
  for (const [method, place, example] of PAGES)
    for (const body of nulled(example)) {
      const isLink = place.startsWith('http')
      const headers = { 'content-type': 'application/json' }
      const answer = isLink
        ? await fetch(place, { method, headers, body: JSON.stringify(body) })
        : await owner.send(method, place, body)
      const text = isLink ? await (answer as Response).text() : (answer as Answered).text
      if (answer.status >= 500 || /connection closed/i.test(text))
        found.push(`${method} ${place.slice(-30)} ${JSON.stringify(body)}: ${answer.status} ${text}`)
    }
  assert.deepEqual(found, [])
})
