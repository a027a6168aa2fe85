import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { Interrupted } from './interruption.ts'
import { promptSecret } from './prompt-secret.ts'

class Keyboard extends EventEmitter {
  readonly isTTY: boolean
  raw: boolean[] = []
  constructor(isTTY = true) {
    super()
    this.isTTY = isTTY
  }
  setRawMode(raw: boolean): void {
    this.raw.push(raw)
  }
  setEncoding(): void {}
  resume(): void {}
  pause(): void {}
}

function ask(stdin: Keyboard, isTTY = true) {
  let shown = ''
  const output = { isTTY, write: (text: string) => (shown += text) }
  const answer = promptSecret({ env: {}, stdout: output, stderr: output, stdin }, 'API key: ')
  return { answer, shown: () => shown }
}

test('typed or pasted text is not echoed and can be corrected', async () => {
  const stdin = new Keyboard()
  const { answer, shown } = ask(stdin)
  for (const keys of ['ks_wrong', '\u0015', 'ks_ab', 'x', '\u007f', 'c_', '\u001b', 'def\r'])
    stdin.emit('data', keys)
  assert.equal(await answer, 'ks_abc_def')
  assert.equal(shown(), 'API key: \n')
  assert.deepEqual(stdin.raw, [true, false])
  assert.equal(stdin.listenerCount('data'), 0)
})

test('Ctrl-C at the prompt interrupts; Ctrl-D and an empty line return nothing', async () => {
  for (const [keys, check] of [
    ['\u0004', async (answer: Promise<unknown>) => assert.equal(await answer, undefined)],
    ['\r', async (answer: Promise<unknown>) => assert.equal(await answer, undefined)],
    ['\u0003', (answer: Promise<unknown>) => assert.rejects(answer, Interrupted)],
  ] as const) {
    const stdin = new Keyboard()
    const { answer } = ask(stdin)
    stdin.emit('data', keys)
    await check(answer)
    assert.deepEqual(stdin.raw, [true, false])
  }
})

test('without a terminal there is no prompt', async () => {
  assert.equal(await ask(new Keyboard(false)).answer, undefined)
  assert.equal(await ask(new Keyboard(), false).answer, undefined)
})
