import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, type WorkspaceEvent } from '@kitseal/client'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'
import { main } from '../../../cli/src/main.ts'

test('client.events() and kitseal events give every event once, in order and without gaps; --follow waits for more', async () => {
  await using service = await testService()
  const owner = await workspaceClient(service)
  const submit = async (): Promise<string> => {
    const id = await owner.submission()
    await owner.upload(id, form({ 'a.txt': 'a\n' }))
    await owner.ended(id)
    return id
  }
  await submit()
  const client = createClient({ baseUrl: service.base, apiKey: owner.key })
  const before: WorkspaceEvent[] = []
  for await (const event of client.events()) before.push(event)
  assert.deepEqual(
    before.map(({ seq }) => seq),
    before.map((_, index) => index + 1),
  )
  const last = before.at(-1)?.seq ?? 0
  assert.ok(last > 1)

  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: owner.key }
  let out = ''
  const terminal = {
    env,
    stdout: { write: (text: string) => void (out += text) },
    stderr: { write: () => true },
  }
  assert.equal(await main(['events', '--json', '--after', '1'], terminal), 0)
  const printed = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as WorkspaceEvent).seq)
  assert.deepEqual(
    printed,
    before.slice(1).map(({ seq }) => seq),
  )

  // Follows from the newest event: a later submission arrives, and nothing before it does.
  const stop = new AbortController()
  const followed: WorkspaceEvent[] = []
  const following = (async () => {
    for await (const event of client.events({ after: last, follow: true, signal: stop.signal })) {
      followed.push(event)
      if (event.type === 'submission.passed') return
    }
  })()
  let shown = ''
  const live = {
    env,
    stdout: {
      write(text: string) {
        shown += text
        if (shown.includes('submission.passed')) throw new Error('enough')
      },
    },
    stderr: { write: () => true },
  }
  const command = assert.rejects(main(['events', '--follow', '--after', String(last)], live), /enough/)
  const id = await submit()
  await Promise.all([following, command])
  stop.abort()
  assert.deepEqual(
    followed.map(({ seq }) => seq),
    followed.map((_, index) => last + 1 + index),
  )
  assert.ok(followed.some(({ subject }) => subject === id))
  assert.ok(shown.includes(id))

  const wrong = await main(['events', '--after', 'x'], terminal)
  assert.equal(wrong, 2)
})
