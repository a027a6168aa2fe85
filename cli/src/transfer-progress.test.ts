import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transferProgress } from './progress.ts'

function watched(isTTY: boolean) {
  const drawn: string[] = []
  let now = 0
  const write = (text: string): void => void drawn.push(text.replace('\r\u001b[K', ''))
  const terminal = { env: {}, stdout: { write }, stderr: { isTTY, write } }
  const progress = transferProgress(terminal, 'sending', () => now)
  const at = (ms: number, doneBytes: number): void => {
    now = ms
    progress.at({ doneBytes, totalBytes: 100_000_000 })
  }
  return { drawn, at, progress }
}

test('progress shows percentage, rate and remaining time', () => {
  const { drawn, at } = watched(true)
  at(0, 0)
  at(1000, 10_000_000)
  at(2000, 20_000_000)
  assert.deepEqual(drawn, [
    'sending 0 %  0 bytes of 100 MB',
    'sending 10 %  10.0 MB of 100 MB, 10.0 MB/s, 9 s left',
    'sending 20 %  20.0 MB of 100 MB, 10.0 MB/s, 8 s left',
  ])
})

test('the rate covers the last seconds, and a retry resets it', () => {
  const { drawn, at } = watched(true)
  at(0, 0)
  at(1000, 50_000_000)
  at(61_000, 56_000_000)
  at(62_000, 56_100_000)
  assert.match(drawn.at(-1) ?? '', /100 KB\/s, 7 min 19 s left$/)
  at(63_000, 1_000_000)
  assert.equal(drawn.at(-1), 'sending 1 %  1.0 MB of 100 MB')
})

test('progress is drawn at most ten times a second, cleared at the end, and never written to a pipe', () => {
  const { drawn, at, progress } = watched(true)
  for (let ms = 0; ms < 1000; ms++) at(ms, ms)
  assert.equal(drawn.length, 10)
  progress.clear()
  assert.equal(drawn.at(-1), '')
  const pipe = watched(false)
  pipe.at(0, 1)
  pipe.progress.clear()
  assert.deepEqual(pipe.drawn, [])
})
