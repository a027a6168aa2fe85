import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import {
  type Ask,
  type WorkerPool,
  type PoolLimits,
  NoWorker,
  startPool,
  WorkerCrashed,
} from './worker-pool.ts'

interface Tried {
  readonly [name: string]: (input: never, ask: Ask) => Promise<unknown>
  readonly double: (input: number) => Promise<number>
  readonly signed: (input: string, ask: Ask) => Promise<string>
  readonly fail: (input: string) => Promise<never>
  readonly wait: (ms: number) => Promise<void>
  readonly hang: (input: null) => Promise<void>
  readonly fill: (input: null) => Promise<void>
  readonly crashLater: (input: null) => Promise<void>
}

/** The functions, as a module of its own. */
const SOURCE = `
import { serveWorker } from '${new URL('./serve-worker.ts', import.meta.url).href}'
serveWorker({
  double: async (number) => number * 2,
  signed: async (text, ask) => text + ' ' + (await ask(text)),
  fail: async (code) => { throw Object.assign(new RangeError('no space'), { code }) },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  hang: async () => { const cell = new Int32Array(new SharedArrayBuffer(4)); for (;;) Atomics.wait(cell, 0, 0, 50) },
  fill: async () => { const held = []; for (;;) held.push(new Array(100000).fill(held.length)) },
  crashLater: () => new Promise(() => setImmediate(() => { throw new Error('nobody catches this') })),
})`

const LIMITS: PoolLimits = { heapMegabytes: 64, hangMs: 2000, taskMs: 60_000, patienceMs: 50 }
let pool: WorkerPool<Tried>
const logged: string[] = []

const RISKY: readonly string[] = ['hang', 'fill', 'crashLater']

function start(
  size: number,
  limits: Partial<PoolLimits> = {},
  { source = SOURCE, risky = RISKY } = {},
): WorkerPool<Tried> {
  const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
  const log = { error: (_fields: object, message: string) => void logged.push(message) }
  pool = startPool<Tried>({ file, workerData: {}, size, risky, log, limits: { ...LIMITS, ...limits } })
  return pool
}
afterEach(() => pool.stop())

test('a worker answers, may ask for a signature, and passes on what it throws', async () => {
  const { run } = start(1)
  assert.equal(await run('double', 'a', 21), 42)
  assert.equal(await run('signed', 'a', 'hello', async (text) => `by ${String(text)}`), 'hello by hello')
  await assert.rejects(run('fail', 'a', 'ENOSPC'), {
    name: 'RangeError',
    message: 'no space',
    code: 'ENOSPC',
  })
  await assert.rejects(
    run('signed', 'a', 'hello', () => Promise.reject(new Error('no key'))),
    { message: 'no key' },
  )
  assert.equal(await run('double', 'a', 4), 8, 'the next one has a worker')
})

for (const [name, reason] of [
  ['hang', 'timeout'],
  ['fill', 'memory'],
  ['crashLater', 'error'],
] as const)
  test(`a worker that ends by ${name} fails its task alone, and is replaced`, async () => {
    const { run } = start(1)
    const bad = run(name, 'a', null)
    const good = run('double', 'b', 1)
    await assert.rejects(bad, (error) => error instanceof WorkerCrashed && error.reason === reason)
    assert.equal(await good, 2)
  })

test('a worker that waits with a risky function runs another one', async () => {
  const { run } = start(1, {}, { risky: ['wait'] })
  const ended: string[] = []
  const waited = run('wait', 'a', 1000).then(() => ended.push('wait'))
  const signed = run('signed', 'a', 'hello', () => Promise.resolve('me')).then(() => ended.push('signed'))
  await Promise.all([waited, signed])
  assert.deepEqual(ended, ['signed', 'wait'])
})

test('what ran beside a function that ended the worker begins again, alone', async () => {
  const { run } = start(1)
  const bad = run('hang', 'a', null)
  const good = run('wait', 'b', 100).then(() => 'waited')
  await assert.rejects(bad, WorkerCrashed)
  assert.equal(await good, 'waited')
  assert.equal(await run('double', 'a', 2), 4)
})

test('a worker that cannot start says nothing about its task', async () => {
  start(1, {}, { source: 'throw new Error("broken")' })
  await assert.rejects(pool.run('double', 'a', 1), NoWorker)
})

test('callers take turns', async () => {
  const { run } = start(1, { patienceMs: 60_000 }, { risky: ['double'] })
  const order: string[] = []
  const one = (caller: string): Promise<unknown> => run('double', caller, 1).then(() => order.push(caller))
  await Promise.all(['a', 'a', 'a', 'b', 'c'].map(one))
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'a'])
})

test('one caller does not hold the last worker while another one waits', async () => {
  const { run } = start(1)
  await run('double', 'a', 1)
  let isOver = false
  const long = run('wait', 'a', 5000).then(
    () => (isOver = true),
    () => {},
  )
  const more = run('wait', 'a', 5000).catch(() => {})
  assert.equal(await run('double', 'b', 2), 4)
  assert.equal(isOver, false)
  await pool.stop()
  await Promise.all([long, more])
})

test('a stopped pool takes no tasks', async () => {
  const { run } = start(2)
  await run('double', 'a', 1)
  await pool.stop()
  await assert.rejects(run('double', 'a', 1), NoWorker)
})
