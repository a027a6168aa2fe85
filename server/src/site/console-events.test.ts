import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STREAMS_PER_SESSION } from './console-event-routes.ts'
import { type Browser, ended, member } from '../../test/console-client.ts'
import { testService, type TestService } from '../../test/test-service.ts'
import { administer, clientOf, form } from '../../test/workspace-client.ts'

interface StreamEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

interface Stream extends AsyncDisposable {
  readonly status: number
  readonly received: readonly StreamEvent[]
  /** Waits for a matching event. */
  until(wanted: (received: StreamEvent) => boolean): Promise<StreamEvent>
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>
}

/** Parses the stream like EventSource. */
async function listen(service: TestService, user: Browser, lastEventId?: string): Promise<Stream> {
  const leave = new AbortController()
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${service.base}/console/api/events`, {
    headers: { cookie, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: leave.signal,
  })
  const received: StreamEvent[] = []
  const arrivals = new EventTarget()
  const read = async (): Promise<void> => {
    let text = ''
    for await (const piece of (response.body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream())) {
      text += piece
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]
        const event = field('event')
        if (event !== undefined)
          received.push({
            event,
            id: field('id'),
            data: JSON.parse(field('data') ?? '{}') as StreamEvent['data'],
          })
      }
      arrivals.dispatchEvent(new Event('received'))
    }
  }
  const over = read().catch(() => undefined)
  return {
    status: response.status,
    received,
    ended: over,
    until: async (wanted) => {
      for (;;) {
        const found = received.find(wanted)
        if (found !== undefined) return found
        await new Promise((resolve) => arrivals.addEventListener('received', resolve, { once: true }))
      }
    },
    [Symbol.asyncDispose]: async () => {
      leave.abort()
      await over
    },
  }
}

test('a submission is streamed until it finishes, no matter who created it', async () => {
  await using service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  assert.equal(stream.status, 200)
  await stream.until(({ event }) => event === 'ready')
  const client = clientOf(service, '', service.service.firstApiKey ?? '')
  const id = await client.submission()
  await client.upload(id, form({ 'review.csv': 'name,role\nann,admin\n' }))
  const passed = await stream.until(({ data }) => data['submission_id'] === id && data['status'] === 'PASS')
  assert.equal(passed.event, 'submission')
  assert.match(String(passed.data['kit_id']), /^kit_/)
  const stages = stream.received
    .filter(({ data }) => data['submission_id'] === id)
    .map(({ data }) => data['stage'])
  assert.equal(stages.at(-1), 'passed')
})

test('other changes in the workspace are streamed, and none of another workspace', async () => {
  await using service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await stream.until(({ event }) => event === 'ready')
  await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'nobody' })
  const made = await ann.post('/v1/keys', { label: 'ci' })
  const { key_id } = made.json['key'] as { key_id: string }
  const message = await stream.until(({ data }) => data['action'] === 'key.created')
  assert.deepEqual([message.event, message.data['subject']], ['change', key_id])
  assert.ok(!JSON.stringify(stream.received).includes('ks_key_'))
})

test('changes by another process are streamed, and a removed member is disconnected', async () => {
  await using service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await stream.until(({ event }) => event === 'ready')
  await administer(service, async (admin) => {
    const [workspace] = await admin.workspaces.list()
    await admin.workspaces.grant(workspace!.workspace_id, 5, undefined, { is: 'operator' })
  })
  const message = await stream.until(({ data }) => data['action'] === 'credits.granted')
  assert.equal(message.event, 'change')
  const bob = await member(service, 'owner', undefined, 'bob@acme.example')
  const listed = (await bob.get('/members')).json['members'] as readonly Record<string, unknown>[]
  const id = listed.find((each) => each['email'] === 'owner@acme.example')?.['member_id']
  assert.equal((await bob.send('DELETE', `/members/${String(id)}`)).status, 204)
  const { data } = await stream.until(({ event }) => event === 'ended')
  assert.deepEqual(data, { reason: 'session' })
})

test('a client that reconnects gets the events it missed', async () => {
  await using service = await testService()
  const ann = await member(service)
  let last: string | undefined
  {
    await using stream = await listen(service, ann)
    last = (await stream.until(({ event }) => event === 'ready')).id
  }
  const id = String((await ann.post('/v1/submissions', { label: 'missed' })).json['submission_id'])
  await using again = await listen(service, ann, last)
  const message = await again.until(({ data }) => data['submission_id'] === id)
  assert.ok(Number(message.id) > Number(last))
  await using future = await listen(service, ann, '999999')
  await future.until(({ event }) => event === 'reset')
})

test('a stream ends when its session ends', async () => {
  await using service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await stream.until(({ event }) => event === 'ready')
  await ann.post('/sign-out')
  const { data } = await stream.until(({ event }) => event === 'ended')
  assert.deepEqual(data, { reason: 'session' })
  await stream.ended
})

test('streams per session are limited, and closing one frees a slot', async () => {
  await using service = await testService()
  const ann = await member(service)
  const streams: Stream[] = []
  for (let count = 0; count < STREAMS_PER_SESSION; count += 1) streams.push(await listen(service, ann))
  assert.deepEqual(
    streams.map(({ status }) => status),
    Array(STREAMS_PER_SESSION).fill(200),
  )
  const more = await ann.get('/events')
  assert.deepEqual([more.status, more.json['code']], [429, 'streams_exhausted'])
  await streams.pop()?.[Symbol.asyncDispose]()
  let status = 429
  while (status === 429) {
    const next = await listen(service, ann)
    status = next.status
    await next[Symbol.asyncDispose]()
  }
  assert.equal(status, 200)
  for (const stream of streams) await stream[Symbol.asyncDispose]()
})

test('shutdown ends open streams', async () => {
  const service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await stream.until(({ event }) => event === 'ready')
  await service[Symbol.asyncDispose]()
  await stream.ended
  assert.deepEqual(stream.received.at(-1)?.data, { reason: 'stopping' })
})

test('polling returns the same data as the stream', async () => {
  await using service = await testService()
  const ann = await member(service, 'member')
  const id = String((await ann.post('/v1/submissions', { label: 'polled' })).json['submission_id'])
  await ann.upload(id, form({ 'review.csv': 'name,role\nann,admin\n' }))
  assert.equal((await ended(ann, id))['status'], 'PASS')
})
