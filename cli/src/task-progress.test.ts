import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskProgress, tookLines } from './progress.ts'

test('a terminal shows one line with count, share, rate and time left, and it is cleared at the end', () => {
  const screen = terminal(true)
  const progress = taskProgress(screen, screen.now)
  progress.report({ step: 'Copying objects', done: 0, total: 10_700 })
  screen.time = 2000
  progress.report({ step: 'Copying objects', done: 2000, total: 10_700, bytes: 3_000_000 })
  screen.time = 2050
  progress.report({ step: 'Copying objects', done: 2040, total: 10_700 })
  assert.deepEqual(screen.written, [
    '\r\u001b[KCopying objects 0 %  0 of 10,700',
    '\r\u001b[KCopying objects 18 %  2,000 of 10,700, 3.0 MB, 1,000/s, 9 s left',
  ])
  progress.clear()
  assert.equal(screen.written.at(-1), '\r\u001b[K')
})

test('without a terminal there is a line every half minute, and none for a short task', () => {
  const log = terminal(false)
  const progress = taskProgress(log, log.now)
  for (log.time = 0; log.time < 29_000; log.time += 1000)
    progress.report({ step: 'Checking objects', done: log.time / 10, share: log.time / 100_000 })
  assert.deepEqual(log.written, [])
  log.time = 30_000
  progress.report({ step: 'Checking objects', done: 3000, share: 0.3 })
  log.time = 60_000
  progress.report({ step: 'Checking objects', done: 6000, share: 0.6 })
  progress.clear()
  assert.deepEqual(log.written, [
    'Checking objects 30 %  3,000, 100/s, 1 min 10 s left\n',
    'Checking objects 60 %  6,000, 100/s, 40 s left\n',
  ])
})

test('each step has its own rate', () => {
  const screen = terminal(true)
  const progress = taskProgress(screen, screen.now)
  progress.report({ step: 'Writing records', done: 0 })
  screen.time = 1000
  progress.report({ step: 'Writing records', done: 50_000 })
  screen.time = 2000
  progress.report({ step: 'Verifying kits', done: 1, total: 10 })
  screen.time = 3000
  progress.report({ step: 'Verifying kits', done: 3, total: 10 })
  assert.deepEqual(screen.written.slice(1), [
    '\r\u001b[KWriting records  50,000, 50,000/s',
    '\r\u001b[KVerifying kits 10 %  1 of 10',
    '\r\u001b[KVerifying kits 30 %  3 of 10, 2/s, 4 s left',
  ])
})

test('a long task says how long it took, a short one does not', () => {
  assert.deepEqual(tookLines(4.9, 100, 'object'), [])
  assert.deepEqual(tookLines(20, 10_700, 'object'), ['Took 20 s, 535 objects per second.'])
})

function terminal(isTTY: boolean) {
  const written: string[] = []
  const screen = {
    env: {},
    written,
    time: 0,
    now: () => screen.time,
    stdout: { write: () => {} },
    stderr: { isTTY, write: (text: string) => written.push(text) },
  }
  return screen
}
