import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browser, member } from '../../kit/console.ts'
import { testService, type TestService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { administer, clientOf, form } from '../../kit/workspace.ts'

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
  const response = await fetch(`${service.base}/v1/events/stream`, {
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
  const client = clientOf(service, '', service.service.firstApiKey ?? '')
  const id = await client.submission()
  await client.upload(id, form({ 'review.csv': 'name,role\nann,admin\n' }))
  const { data } = await stream.until(({ event }) => event === 'submission.passed')
  assert.deepEqual([data['subject'], data['actor']], [id, 'service'])
  assert.deepEqual(
    stream.received.filter((each) => each.data['subject'] === id).map(({ event }) => event),
    ['submission.created', 'submission.sealed', 'submission.passed'],
  )
})

test('other changes in the workspace are streamed, and none of another workspace', async () => {
  await using service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'nobody' })
  const made = await ann.post('/v1/keys', { label: 'ci' })
  const { key_id } = made.json['key'] as { key_id: string }
  const message = await stream.until(({ event }) => event === 'key.created')
  assert.equal(message.data['subject'], key_id)
  assert.deepEqual(
    stream.received.map(({ event }) => event),
    ['key.created'],
  )
  assert.ok(!JSON.stringify(stream.received).includes('ks_key_'))
})

test('changes by another process are streamed, and a removed member is disconnected', async () => {
  await using service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await administer(service, async (admin) => {
    const [workspace] = await admin.workspaces.list()
    await admin.workspaces.grant(workspace!.workspace_id, 5, undefined, { is: 'operator' })
  })
  await stream.until(({ event }) => event === 'credits.granted')
  const bob = await member(service, 'owner', undefined, 'bob@acme.example')
  const listed = (await bob.get('/members')).json['members'] as readonly Record<string, unknown>[]
  const id = listed.find((each) => each['email'] === 'owner@acme.example')?.['member_id']
  assert.equal((await bob.send('DELETE', `/members/${String(id)}`)).status, 204)
  await stream.ended
})

test('a client that reconnects gets the events it missed', async () => {
  await using service = await testService()
  const ann = await member(service)
  let last: string | undefined
  {
    await using stream = await listen(service, ann)
    await ann.post('/v1/keys', { label: 'ci' })
    last = (await stream.until(({ event }) => event === 'key.created')).id
  }
  const id = String((await ann.post('/v1/submissions', { label: 'missed' })).json['submission_id'])
  await using again = await listen(service, ann, last)
  const message = await again.until(({ data }) => data['subject'] === id)
  assert.equal(Number(message.id), Number(last) + 1)
})

test('a stream ends when its session ends', async () => {
  await using service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await ann.post('/sign-out')
  await stream.ended
})

test('streams per session are limited, and closing one frees a slot at once', async () => {
  await using service = await testService()
  const [ann, bob] = [await member(service), await member(service, 'viewer')]
  const streams: Stream[] = []
  for (let count = 0; count < 10; count += 1) streams.push(await listen(service, ann))
  assert.deepEqual(
    streams.map(({ status }) => status),
    Array(10).fill(200),
  )
  const more = await ann.get('/v1/events/stream')
  assert.deepEqual([more.status, more.json['code']], [429, 'streams_exhausted'])
  streams.push(await listen(service, bob))
  assert.equal(streams.at(-1)?.status, 200, 'another session has its own')
  await streams.shift()?.[Symbol.asyncDispose]()
  const left = performance.now()
  await until(async () => {
    await using next = await listen(service, ann)
    return next.status === 200
  })
  assert.ok(performance.now() - left < 5000, 'without waiting for the next heartbeat')
  for (const stream of streams) await stream[Symbol.asyncDispose]()
})

test('shutdown ends open streams', async () => {
  const service = await testService()
  const ann = await member(service)
  await using stream = await listen(service, ann)
  await service[Symbol.asyncDispose]()
  await stream.ended
})
