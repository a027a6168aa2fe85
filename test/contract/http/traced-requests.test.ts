import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('a request continues the trace of its traceparent, in the response and in the log', async () => {
  const service = await testService()
  const call = async (path: string, traceparent?: string) => {
    const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent }
    const response = await service.call(path, { headers })
    const [version, traceId, spanId, flags] = (response.headers.get('traceparent') ?? '').split('-')
    return { id: response.headers.get('x-request-id'), version, traceId, spanId, flags }
  }
  const continued = [
    await call('/healthz', `00-${TRACE}-${SPAN}-00`),
    await call('/v1/kits/kit_unknown/receipt', `00-${TRACE}-${SPAN}-00`),
  ]
  const started = [
    await call('/healthz'),
    await call('/healthz', `00-${TRACE.toUpperCase()}-${SPAN}-00`),
    await call('/healthz', `ff-${TRACE}-${SPAN}-00`),
    await call('/healthz', 'ks_SECRET-KEY'),
  ]
  await service[Symbol.asyncDispose]()

  for (const { version, traceId, spanId, flags } of continued) {
    assert.deepEqual([version, traceId, flags], ['00', TRACE, '00'])
    assert.match(spanId ?? '', /^[\da-f]{16}$/)
    assert.notEqual(spanId, SPAN)
  }
  assert.equal(new Set(continued.map(({ spanId }) => spanId)).size, continued.length)
  for (const { traceId } of started) {
    assert.match(traceId ?? '', /^[\da-f]{32}$/)
    assert.notEqual(traceId, TRACE)
  }
  assert.equal(new Set(started.map(({ traceId }) => traceId)).size, started.length)

  const lines = service
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const { id, traceId } of [...continued, ...started])
    assert.equal(lines.find((line) => line['request_id'] === id)?.['trace_id'], traceId)
  assert.doesNotMatch(service.log(), /SECRET/)
})
