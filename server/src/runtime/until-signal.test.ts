// Own process: the signal would end the tests that share it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platformOf } from '@kitseal/kit/internal/node'
import { untilSignal } from '../serve-command.ts'

test('without SIGTERM, Ctrl-C and Ctrl-Break stop the service', async () => {
  for (const signal of ['SIGINT', 'SIGBREAK'] as const) {
    const before = process.listenerCount('SIGTERM')
    const stopped = untilSignal(platformOf('win32').stopSignals)
    assert.equal(process.listenerCount('SIGTERM'), before)
    process.emit(signal, signal)
    assert.equal(await stopped, signal)
    for (const name of ['SIGINT', 'SIGBREAK'] as const) process.removeAllListeners(name)
  }
})

test('elsewhere, SIGTERM stops the service', async () => {
  const stopped = untilSignal(platformOf('darwin').stopSignals)
  process.emit('SIGTERM', 'SIGTERM')
  assert.equal(await stopped, 'SIGTERM')
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(name)
})
