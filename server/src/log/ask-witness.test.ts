import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type NoteSignature,
  parseCheckpoint,
  parseNote,
  signatureLine,
  utf8,
  verifyCosignature,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { startWitness } from '../../../test/kit/witness.ts'
import { witnessedLog } from '../../../test/kit/witnessed-log.ts'
import { testLogKey, testWitness } from '../../../kit/test/make-log.ts'
import { type Behaviour, type HostileWitness, hostileWitness } from '../../../test/kit/hostile-witness.ts'
import { askWitness, type SignedHead, type WitnessAnswer } from './ask-witness.ts'
import type { WitnessEndpoint } from './witness-policy.ts'

const log = witnessedLog('issuer.example/log')
const signer = testWitness('w.example')
const NOW = Date.UTC(2026, 5, 1)
const SECONDS = NOW / 1000
let server: HostileWitness

before(async () => {
  server = await hostileWitness(() => ({ status: 500 }))
})
after(() => server[Symbol.asyncDispose]())

async function headOf(size: number, from = log): Promise<SignedHead> {
  const note = parseNote(utf8(await from.note(size)))
  const { root } = parseCheckpoint(utf8(await from.note(size)))
  return {
    size,
    root: Buffer.from(root).toString('base64'),
    note,
    committedAt: NOW - 1000,
    frozen: undefined,
    timeStamp: undefined,
  }
}

const ours = (url: string, keys = [signer.key]): WitnessEndpoint => ({
  url,
  witnesses: keys.map((key) => ({ name: 'w', key })),
})

async function ask(
  endpoint: WitnessEndpoint,
  head: SignedHead,
  { knownSize = 0, timeoutMs = 60_000, from = log, now = NOW } = {},
): Promise<WitnessAnswer> {
  return askWitness(endpoint, head, {
    knownSize,
    proofFrom: async (oldSize) =>
      (await from.proof(oldSize, head.size)).map((hash) => Buffer.from(hash, 'base64')),
    now: () => now,
    signal: AbortSignal.timeout(timeoutMs),
  })
}

/** The answer to one request about size 7, of which the witness has cosigned 3. */
async function answerTo(behave: Behaviour, options: { knownSize?: number; timeoutMs?: number } = {}) {
  server.behave = behave
  server.requests.length = 0
  return ask(ours(server.url), await headOf(7), { knownSize: 3, ...options })
}

const lines = (...signatures: readonly NoteSignature[]): string => signatures.map(signatureLine).join('')
const sizeIs = (text: string) => ({ status: 409, type: 'text/x.tlog.size', body: text })

test('a real witness cosigns, from the first size on, and its cosignature is verified', async () => {
  await using witness = await startWitness([log.signer.key])
  const endpoint = ours(witness.url, [witness.key])
  const now = Date.now()
  let knownSize = 0
  for (const size of [1, 7, 300, 300]) {
    const head = { ...(await headOf(size)), committedAt: now }
    const answer = await ask(endpoint, head, { knownSize, now })
    assert.ok(answer.is === 'cosigned', JSON.stringify(answer))
    const [cosignature] = answer.cosignatures
    const time = await verifyCosignature(witness.key, head.note.text, cosignature!.signature, nodeHost)
    assert.ok(time !== undefined)
    knownSize = size
  }
  // Nothing is remembered: the witness names the size, and is asked once more.
  const again = { ...(await headOf(301)), committedAt: now }
  assert.equal((await ask(endpoint, again, { now })).is, 'cosigned')
})

test('a real witness that has seen more, or another history, is reported', async () => {
  await using witness = await startWitness([log.signer.key])
  const endpoint = ours(witness.url, [witness.key])
  const fork = witnessedLog('issuer.example/log', 'second')
  assert.equal((await witness.post(await log.body(0, 10))).status, 200)
  assert.deepEqual(await ask(endpoint, await headOf(7)), { is: 'larger', size: 10 })
  assert.deepEqual(await ask(endpoint, await headOf(10, fork), { from: fork }), {
    is: 'other_tree',
    size: 10,
  })
  assert.deepEqual(await ask(endpoint, await headOf(12, fork), { from: fork }), {
    is: 'other_tree',
    size: 10,
  })
})

test('the size is taken from a 409 only with its content type, and asked for once', async () => {
  let answer = await answerTo(({ oldSize, checkpoint }) =>
    oldSize === 5 ? { body: lines(signer.cosign(checkpoint.text, SECONDS)) } : sizeIs('5\n'),
  )
  assert.equal(answer.is, 'cosigned')
  assert.deepEqual(
    server.requests.map(({ oldSize }) => oldSize),
    [3, 5],
  )
  answer = await answerTo(({ oldSize }) => sizeIs(`${oldSize === 5 ? 4 : 5}\n`))
  assert.equal(answer.is, 'failed')
  assert.equal(server.requests.length, 2)
  for (const reply of [
    { ...sizeIs('5\n'), type: 'text/plain' },
    sizeIs('5'),
    sizeIs('05\n'),
    sizeIs('-1\n'),
    sizeIs('5\n5\n'),
    sizeIs('9999999999999999\n'),
    sizeIs('3\n'),
  ]) {
    assert.equal((await answerTo(() => reply)).is, 'failed', JSON.stringify(reply))
    assert.equal(server.requests.length, 1)
  }
  assert.deepEqual(await answerTo(() => sizeIs('8\n')), { is: 'larger', size: 8 })
})

test('both status codes for another root of the same size are understood', async () => {
  for (const reply of [{ status: 422 }, { status: 409 }, { status: 409, type: 'text/plain' }])
    assert.deepEqual(await answerTo(() => reply, { knownSize: 7 }), { is: 'other_tree', size: 7 })
  assert.deepEqual(await answerTo(() => ({ status: 422 })), { is: 'other_tree', size: 3 })
  for (const [status, knownSize] of [
    [422, 0],
    [409, 0],
    [409, 3],
  ] as const)
    assert.equal((await answerTo(() => ({ status }), { knownSize })).is, 'failed', `${status} ${knownSize}`)
})

test('signatures of other keys are ignored, and a wrong one of the key is not accepted', async () => {
  const other = testWitness('other.example')
  const text = (await headOf(7)).note.text
  const cosignature = signer.cosign(text, SECONDS)
  const answer = await answerTo(() => ({ body: lines(other.cosign(text, 1), cosignature) }))
  assert.ok(answer.is === 'cosigned')
  assert.deepEqual(
    answer.cosignatures.map(({ signature }) => signature),
    [cosignature.signature],
  )
  const plain = testLogKey('w.example').sign(text)
  const bodies: readonly (readonly [string, string])[] = [
    ['another size', lines(signer.cosign((await headOf(8)).note.text, SECONDS))],
    ['the time 0', lines(signer.cosign(text, 0))],
    ['an hour ahead', lines(signer.cosign(text, SECONDS + 3600))],
    ['before the checkpoint', lines(signer.cosign(text, SECONDS - 3600))],
    ['an hour in 1970', lines(signer.cosign(text, 3600))],
    ['beyond every date', lines(signer.cosign(text, 2 ** 52))],
    ['another key with its name', lines({ ...other.cosign(text, SECONDS), ...nameOf(cosignature) })],
    ['another key', lines(other.cosign(text, SECONDS))],
    ['a plain signature', lines(plain)],
    ['a plain signature with its key ID', lines({ ...plain, ...nameOf(cosignature) })],
    ['two of one key', lines(cosignature, signer.cosign(text, SECONDS + 1))],
    ['nothing', ''],
    ['garbage', '\u0000\uffff garbage'],
    ['a page', '<html>\n\n</html>\n'],
    ['an empty line before', `\n${lines(cosignature)}`],
    ['a line feed missing', lines(cosignature).trimEnd()],
    ['CRLF', lines(cosignature).replace('\n', '\r\n')],
  ]
  for (const [what, body] of bodies) assert.equal((await answerTo(() => ({ body }))).is, 'failed', what)
})

const trickle: Behaviour = (_, response) => void response.writeHead(200).write('— ')
const endless: Behaviour = (_, response) => {
  response.writeHead(200)
  const send = (): void => {
    while (response.write('x'.repeat(65_536)));
    response.once('drain', send)
  }
  send()
  return undefined
}

const nameOf = ({ name, keyId }: NoteSignature) => ({ name, keyId })

test('a witness that hangs, redirects, closes the connection or sends without end is a failure', async () => {
  await using target = await hostileWitness(({ checkpoint }) => ({
    body: lines(signer.cosign(checkpoint.text, SECONDS)),
  }))
  const headers = { location: `${target.url}/add-checkpoint` }
  for (const status of [301, 302, 307, 308])
    assert.match(problemOf(await answerTo(() => ({ status, headers }))), /redirect/)
  assert.equal(target.requests.length, 0)
  const timeoutMs = 200
  assert.match(problemOf(await answerTo(() => undefined, { timeoutMs })), /did not answer in time/)
  assert.match(problemOf(await answerTo(trickle, { timeoutMs })), /did not answer in time/)
  assert.match(problemOf(await answerTo(endless)), /more than 65536 bytes/)
  assert.match(problemOf(await answerTo((_, { socket }) => void socket?.destroy())), /cannot be reached/)
  assert.match(
    problemOf(await answerTo(() => ({ status: 403, body: 'no\u001b[31m\nsuch log' }))),
    /it returned 403: no \[31m such log/,
  )
})

function problemOf(answer: WitnessAnswer): string {
  assert.ok(answer.is === 'failed', JSON.stringify(answer))
  return answer.problem
}
