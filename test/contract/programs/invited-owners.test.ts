import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, inviteLink, join } from '../../kit/console.ts'
import { testService } from '../../kit/service.ts'
import { workspaceClient } from '../../kit/workspace.ts'

const BOB = 'bob@acme.example'

test('someone who is invited owns an item of a program from then on, and finds it after joining', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service)
  const body = {
    name: 'SOC 2',
    cadence: 'none',
    starts_on: '2026-01-01',
    items: [{ item_id: 'CC6.1', title: 'Users', owner: BOB }],
  }
  const refused = await acme.post('/v1/programs', body)
  assert.equal(refused.json['code'], 'body_invalid')

  const invited = { workspaceId: acme.workspaceId, role: 'member' } as const
  await inviteLink(service, BOB, invited)
  const { status, json } = await acme.post('/v1/programs', body)
  assert.equal(status, 201)
  const board = `/v1/programs/${String(json['program_id'])}/board`
  const owner = async () =>
    ((await acme.get(board)).json['cells'] as readonly { readonly owner: string }[]).map((cell) => cell.owner)
  assert.deepEqual(await owner(), [BOB])

  // A newer invitation is for the same person.
  const bob = browser(service)
  await join(bob, await inviteLink(service, BOB, invited))
  assert.deepEqual(await owner(), [BOB])
  const { json: overview } = await bob.get('/v1/overview')
  const waiting = overview['waiting'] as readonly { readonly what: string; readonly title: string }[]
  assert.deepEqual(
    waiting.filter(({ what }) => what.startsWith('item')).map(({ title }) => title),
    ['SOC 2 1: CC6.1 Users'],
  )
})
