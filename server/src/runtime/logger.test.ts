import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogLevel } from '../settings/config.ts'
import { jsonLog, type Log } from './logger.ts'

const TIME = '2026-03-01T12:00:00.250Z'

test('a log line is one JSON object with level, time, fields and message', () => {
  const lines = logged('info', (log) => log.info({ job_id: 'job_1', attempts: 2 }, '100 %s "done"\n'))
  assert.deepEqual(lines, [
    `{"level":"info","time":"${TIME}","job_id":"job_1","attempts":2,"msg":"100 %s \\"done\\"\\n"}\n`,
  ])
})

test('lines below the level are not written', () => {
  for (const [level, expected] of [
    ['debug', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['silent', []],
  ] as const)
    assert.deepEqual(
      logged(level, writeAll).map((line) => (JSON.parse(line) as { level: string }).level),
      expected,
    )
})

test('an error is logged with its code and causes, and without its other members', () => {
  const cause = new TypeError('bad value')
  const error = Object.assign(new Error('failed', { cause }), { code: 'E_TEST', parameters: ['secret'] })
  const [line = ''] = logged('info', (log) => log.error({ err: error }, 'query failed'))
  const { err } = JSON.parse(line) as { err: Record<string, unknown> & { cause: object } }
  assert.deepEqual(Object.keys(err), ['name', 'message', 'code', 'stack', 'cause'])
  assert.deepEqual(Object.keys(err.cause), ['name', 'message', 'stack'])
})

function writeAll(log: Log): void {
  log.info({}, 'info')
  log.warn({}, 'warn')
  log.error({}, 'error')
}

function logged(level: LogLevel, write: (log: Log) => void): readonly string[] {
  const lines: string[] = []
  write(jsonLog(level, { write: (text) => lines.push(text) }, { now: () => Date.parse(TIME) }))
  return lines
}
