import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import type { Finding } from '../src/core/findings.ts'
import { Cancelled } from '../src/upload/send.ts'
import { UploadQueue, type UploadTarget } from '../src/upload/upload-queue.ts'

const filesOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, file: new File(['12345'], name) }))

const finding = (path: string, members: Partial<Finding> = {}) =>
  ({
    code: 'x',
    message: 'm',
    remedy: 'r',
    path,
    class: 'danger',
    acknowledged: false,
    ...members,
  }) as Finding

interface Fake {
  readonly isDirect?: boolean
  findings?: readonly Finding[]
  fails?: (names: readonly string[]) => Error | undefined
}

/** A queue whose checks find `findings`, and that notes what it sends. */
function queueOf(fake: Fake = {}) {
  const sent: { readonly names: readonly string[]; readonly key: string }[] = []
  const submitted: (readonly string[])[] = []
  const target: UploadTarget = {
    place: { url: '', headers: {} },
    isDirect: fake.isDirect ?? false,
    order: { limits: { unpacked_files: 1, unpacked_limit_bytes: 1, unpacked_ratio: 1 }, profile: undefined },
    open: async () => 'sub_1',
    errorText: String,
  }
  const queue = new UploadQueue(target, {
    check: () => ({
      done: Promise.resolve({ findings: fake.findings ?? [], items: [] }) as never,
      stop: () => undefined,
    }),
    send: (_, { files, key }) => {
      const names = files.map(({ name }) => name)
      const error = fake.fails?.(names)
      sent.push({ names, key })
      return {
        sent: error === undefined ? Promise.resolve() : Promise.reject(error),
        cancel: () => undefined,
      }
    },
    submit: (_, codes) => {
      submitted.push([...codes])
      return { sent: Promise.resolve(), cancel: () => undefined }
    },
  })
  const states = () => Object.fromEntries(queue.read().files.map(({ name, state }) => [name, state.is]))
  return { queue, sent, submitted, states }
}

test('a problem belongs to the file that its path names or continues, and nothing is sent before it is submitted', async () => {
  const { queue, sent, states } = queueOf({
    findings: [
      finding('a.zip/inner/tool.exe'),
      finding('a/b.txt'),
      finding('a/other.txt'),
      finding(String.raw`x\u202ey.txt`),
    ],
  })
  queue.add(filesOf('a.zip', 'a/b.txt', 'x\u202ey.txt', 'a.zipped'))
  assert.deepEqual(new Set(Object.values(states())), new Set(['checking']))
  await setImmediate()
  assert.deepEqual(states(), {
    'a.zip': 'blocked',
    'a.zipped': 'ready',
    'a/b.txt': 'blocked',
    'x\u202ey.txt': 'blocked',
  })
  assert.equal(sent.length, 0)
})

test('a mended file replaces the one with the problem, also if that is in a folder', async () => {
  const fake: Fake = { findings: [finding('audit/2026/users.csv')] }
  const { queue, states } = queueOf(fake)
  queue.add(filesOf('audit/2026/users.csv', 'audit/notes.txt'))
  await setImmediate()
  fake.findings = []
  queue.add(filesOf('users.csv'))
  await setImmediate()
  assert.deepEqual(states(), { 'audit/2026/users.csv': 'ready', 'audit/notes.txt': 'ready' })
  queue.add(filesOf('notes.txt'))
  assert.equal(queue.read().files.length, 3, 'what has no problem is not replaced')
})

test('the same name in two folders is not guessed', async () => {
  const { queue } = queueOf({ findings: [finding('a/x.csv'), finding('b/x.csv')] })
  queue.add(filesOf('a/x.csv', 'b/x.csv'))
  await setImmediate()
  queue.add(filesOf('x.csv'))
  assert.equal(queue.read().files.length, 3)
})

test('what was sent is not sent again, and a batch keeps its key when it is tried again', async () => {
  let isDown = true
  const { queue, sent, submitted } = queueOf({
    fails: ([name]) => (isDown && name === 'b.txt' ? new Error('offline') : undefined),
  })
  queue.add(filesOf('a.txt', 'b.txt', 'c.txt'))
  await setImmediate()
  assert.equal(await queue.submit(), undefined)
  assert.deepEqual(queue.read().submitting, { is: 'stopped', message: 'Error: offline' })
  isDown = false
  assert.equal(await queue.submit(), 'sub_1')
  assert.deepEqual(
    sent.map(({ names }) => names[0]),
    ['a.txt', 'b.txt', 'b.txt', 'c.txt'],
  )
  assert.equal(sent[1]?.key, sent[2]?.key)
  assert.equal(submitted.length, 1)
})

test('many files are sent in batches, and a cancelled one can be resumed', async () => {
  let isCancelled = true
  const { queue, sent } = queueOf({ fails: () => (isCancelled ? new Cancelled() : undefined) })
  queue.add(filesOf(...Array.from({ length: 120 }, (_, index) => `${index}.txt`)))
  await setImmediate()
  assert.equal(await queue.submit(), undefined)
  assert.deepEqual(queue.read().submitting, { is: 'stopped', message: undefined })
  isCancelled = false
  await queue.submit()
  assert.deepEqual(
    sent.map(({ names }) => names.length),
    [50, 50, 50, 20],
  )
})

test('a possible secret is acknowledged in the files that there were then', async () => {
  const secret = finding('a.txt', { code: 'possible_secret', class: 'secret' })
  const { queue, states } = queueOf({ findings: [secret] })
  queue.add(filesOf('a.txt'))
  await setImmediate()
  queue.accept(new Set(['possible_secret']))
  assert.deepEqual(states(), { 'a.txt': 'ready' })
  queue.add(filesOf('b.txt'))
  await setImmediate()
  assert.deepEqual(states(), { 'a.txt': 'blocked', 'b.txt': 'ready' })
  queue.accept(new Set(['possible_secret']))
  queue.remove((name) => name === 'b.txt')
  await setImmediate()
  assert.deepEqual(states(), { 'a.txt': 'blocked' })
})

test('files of an item are sent as soon as they are checked, and a problem holds back its own file alone', async () => {
  const damage = finding('1/a.csv', { code: 'malformed', class: 'damage' })
  const { queue, sent, states } = queueOf({ isDirect: true, findings: [damage] })
  queue.add(filesOf('1/a.csv', '1/b.csv'))
  await setImmediate()
  assert.deepEqual(states(), { '1/a.csv': 'blocked' })
  assert.deepEqual(
    sent.map(({ names }) => names),
    [['1/b.csv']],
  )
  queue.send('1/a.csv')
  await setImmediate()
  assert.deepEqual([states(), [...queue.read().accepted]], [{}, ['malformed']])
  assert.equal(queue.isPassed('1/a.csv'), true, 'its row does not show a green tick')
  assert.equal(queue.isPassed('1/b.csv'), false)
})
