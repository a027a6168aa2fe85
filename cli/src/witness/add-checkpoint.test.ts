import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCheckpoint, parsePolicy, utf8, verifyCheckpoint, vkey } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { testLogKey, testWitness } from '../../../kit/test/make-log.ts'
import { type Reply, type RunningWitness, startWitness } from '../../test/start-witness.ts'
import { type WitnessedLog, witnessedLog } from '../../test/witnessed-log.ts'
import { openWitnessStore } from './witness-store.ts'

const log = witnessedLog('issuer.example/log')

/** The size of the checkpoint that a cosignature is for, or undefined if the reply has no valid one. */
async function cosigned(
  note: string,
  reply: Reply,
  { key }: RunningWitness,
  by = log,
): Promise<number | undefined> {
  if (reply.status !== 200) return undefined
  const lines = [`log ${vkey(by.signer.key)}`, `witness w ${vkey(key)}`, 'quorum w', '']
  const checkpoint = parseCheckpoint(utf8(note + reply.text))
  const status = await verifyCheckpoint(
    checkpoint,
    parsePolicy(utf8(lines.join('\n')), nodeHost.digest),
    nodeHost,
  )
  return status.is === 'signed' && status.quorumMet ? checkpoint.size : undefined
}

async function cosignedAt(size: number, by: WitnessedLog = log): Promise<RunningWitness> {
  const witness = await startWitness([by.signer.key])
  assert.equal((await witness.post(await by.body(0, size))).status, 200)
  return witness
}

const monitored = async (witness: RunningWitness, path: string): Promise<Reply> => {
  const response = await fetch(witness.url + path)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

test('a log that only grows is cosigned at every size', async () => {
  await using witness = await startWitness([log.signer.key])
  let last = 0
  for (const size of [0, 1, 2, 7, 7, 255, 256, 257, 512, 600]) {
    const reply = await witness.post(await log.body(last, size))
    assert.equal(await cosigned(await log.note(size), reply, witness), size, reply.text)
    assert.equal(reply.type, 'text/plain; charset=utf-8')
    assert.match(reply.text, /^— witness\.example\/w1 [\w+/]{102}[\w+/=]{2}\n$/)
    last = size
  }
})

test('a request in another form returns 400', async () => {
  await using witness = await cosignedAt(7)
  const good = await log.body(7, 11)
  const hash = (await log.proof(7, 11))[0]!
  const note = await log.note(11)
  const twice = await log.note(11, [log.signer.sign(await log.text(11)), log.signer.sign(await log.text(11))])
  const bad: Record<string, string> = {
    empty: '',
    'no checkpoint': 'old 7\n\n',
    'no empty line': good.replace('\n\n', '\n'),
    'leading zero': good.replace('old 7', 'old 07'),
    'plus sign': good.replace('old 7', 'old +7'),
    'two spaces': good.replace('old 7', 'old  7'),
    'no old size': good.replace('old 7\n', ''),
    'no number': good.replace('old 7', 'old '),
    'above 2^53': good.replace('old 7', 'old 9007199254740992'),
    'above 2^64': good.replace('old 7', 'old 18446744073709551616'),
    'carriage return': good.replace('old 7\n', 'old 7\r\n'),
    'unpadded hash': good.replace(hash, hash.slice(0, -1)),
    'URL-safe hash': good.replace(hash, `${hash.slice(0, 41)}-_=`),
    'stray bits': good.replace(hash, `${hash.slice(0, 42)}${'BCD'.includes(hash[42]!) ? 'F' : 'B'}=`),
    'short hash': good.replace(hash, hash.slice(4)),
    'space after hash': good.replace(hash, `${hash} `),
    '64 hashes': `old 7\n${`${hash}\n`.repeat(64)}\n${note}`,
    'byte order mark': `\ufeff${good}`,
    'no last line feed': good.slice(0, -1),
    'size with leading zero': good.replace('\n11\n', '\n011\n'),
    'two signatures of one key': `old 7\n\n${twice}`,
  }
  for (const [what, body] of Object.entries(bad)) assert.equal((await witness.post(body)).status, 400, what)
  assert.equal((await witness.post(utf8(good).with(5, 0xff) as Uint8Array<ArrayBuffer>)).status, 400)
  // 63 hashes have the right form, but prove nothing.
  assert.equal((await witness.post(`old 7\n${`${hash}\n`.repeat(63)}\n${note}`)).status, 422)
  assert.equal((await witness.post(good)).status, 200)
})

test('the checkpoint of an unknown log returns 404, also with a bad signature', async () => {
  await using witness = await cosignedAt(7)
  const other = witnessedLog('other.example/log')
  assert.equal((await witness.post(await other.body(0, 7))).status, 404)
  const signatures = [log.signer.sign('something else\n')]
  assert.equal((await witness.post(`old 0\n\n${await other.note(7, signatures)}`)).status, 404)
})

test('a checkpoint without a valid signature of the log returns 403, before sizes are compared', async () => {
  await using witness = await cosignedAt(7)
  const text = await log.text(11)
  const [good, wrong] = [log.signer.sign(text), log.signer.sign('something else\n')]
  const stranger = testLogKey('stranger.example')
  const cases = {
    wrong: [wrong],
    'key of a stranger': [stranger.sign(text)],
    'key of a stranger under the name of the log': [{ ...stranger.sign(text), name: log.origin }],
    'a cosignature with the name of the log': [testWitness(log.origin).cosign(text, 1)],
  }
  for (const [what, signatures] of Object.entries(cases))
    for (const oldSize of [7, 12, 3])
      assert.equal(
        (await witness.post(`old ${oldSize}\n\n${await log.note(11, signatures)}`)).status,
        403,
        what,
      )
  const proof = (await log.proof(7, 11)).map((line) => `${line}\n`).join('')
  const note = await log.note(11, [stranger.sign(text), good])
  assert.equal((await witness.post(`old 7\n${proof}\n${note}`)).status, 200, 'unknown signatures are ignored')
})

test('all signatures of the keys of a log must be valid', async () => {
  const second = { ...testLogKey('second-key').key, name: log.origin }
  await using witness = await startWitness([log.signer.key, second])
  const text = await log.text(7)
  const wrong = { name: log.origin, keyId: second.keyId, signature: new Uint8Array(64) }
  assert.equal(
    (await witness.post(`old 0\n\n${await log.note(7, [log.signer.sign(text), wrong])}`)).status,
    403,
  )
  assert.equal((await witness.post(await log.body(0, 7))).status, 200)
})

test('an old size above the checkpoint returns 400, before it is compared with the cosigned size', async () => {
  await using witness = await cosignedAt(7)
  assert.equal((await witness.post(`old 8\n\n${await log.note(7)}`)).status, 400)
  assert.equal((await witness.post(`old 7\n\n${await log.note(5)}`)).status, 400)
  assert.equal((await witness.post(await log.body(7, 7))).status, 200)
})

test('another old size returns 409 with the cosigned size', async () => {
  await using witness = await cosignedAt(7)
  for (const oldSize of [0, 3, 8]) {
    const reply = await witness.post(await log.body(oldSize, 11))
    assert.deepEqual(reply, { status: 409, type: 'text/x.tlog.size', text: '7\n' })
  }
  await using fresh = await startWitness([log.signer.key])
  assert.deepEqual(await fresh.post(await log.body(3, 11)), {
    status: 409,
    type: 'text/x.tlog.size',
    text: '0\n',
  })
})

test('a proof that is missing, wrong, too long or superfluous returns 422', async () => {
  await using witness = await cosignedAt(7)
  const note = await log.note(11)
  const proof = await log.proof(7, 11)
  const fork = witnessedLog(log.origin, 'second')
  const bad = [
    `old 7\n\n${note}`,
    ['old 7', ...proof.toReversed(), '', note].join('\n'),
    ['old 7', ...proof, proof[0], '', note].join('\n'),
    ['old 7', ...proof.slice(0, -1), '', note].join('\n'),
    ['old 7', proof[0], '', await log.note(7)].join('\n'),
    await fork.body(7, 11),
  ]
  for (const body of bad) {
    const reply = await witness.post(body)
    assert.deepEqual([reply.status, reply.type], [422, 'text/plain; charset=utf-8'], body)
  }
  await using fresh = await startWitness([log.signer.key])
  assert.equal((await fresh.post(`old 0\n${proof[0]}\n\n${note}`)).status, 422)
  assert.equal((await fresh.post(`old 0\n\n${note}`)).status, 200)
})

test('an empty tree with another root than that of no leaves returns 422', async () => {
  await using witness = await startWitness([log.signer.key])
  const text = (await log.text(7)).replace('\n7\n', '\n0\n')
  const line = Buffer.from((await log.note(7, [log.signer.sign(text)])).replace('\n7\n', '\n0\n')).toString()
  assert.equal((await witness.post(`old 0\n\n${line}`)).status, 422)
  assert.deepEqual(witness.forks, [], 'nothing was cosigned that it could contradict')
  assert.equal((await witness.post(await log.body(0, 0))).status, 200)
})

test('another root for a cosigned size returns 422 without a size, and both checkpoints are kept', async () => {
  await using witness = await cosignedAt(7)
  const fork = witnessedLog(log.origin, 'second')
  const reply = await witness.post(await fork.body(7, 7))
  assert.deepEqual([reply.status, reply.type], [422, 'text/plain; charset=utf-8'])
  const [[first = '', second = ''] = []] = witness.forks
  assert.ok(first.startsWith(await log.note(7)))
  assert.equal(second, await fork.note(7))
  assert.equal((await witness.post(await log.body(7, 7))).status, 200)
  assert.equal(witness.forks.length, 1)
})

test('the last cosigned checkpoint can be read with the signatures of log and witness', async () => {
  await using witness = await startWitness([log.signer.key])
  // SHA-256 of "issuer.example/log"
  const path = `/${Buffer.from(nodeHost.digest(utf8(log.origin))).toString('hex')}/checkpoint`
  assert.equal((await monitored(witness, path)).status, 404)
  const text = await log.text(7)
  const noise = testWitness('noise.example').cosign(text, 5)
  const reply = await witness.post(`old 0\n\n${await log.note(7, [noise, log.signer.sign(text)])}`)
  const found = await monitored(witness, path)
  assert.deepEqual([found.status, found.text], [200, (await log.note(7)) + reply.text])
  assert.equal((await monitored(witness, path.replace(/\w/, 'x'))).status, 404)
  assert.equal((await witness.post(await witnessedLog(log.origin, 'second').body(7, 11))).status, 422)
  assert.equal((await monitored(witness, path)).text, found.text, 'a refused checkpoint changes nothing')
})

test('of many requests with one old size, one wins', async () => {
  await using witness = await cosignedAt(7)
  const bodies = await Promise.all(Array.from({ length: 60 }, (_, index) => log.body(7, 8 + index)))
  const replies = await Promise.all(bodies.map((body) => witness.post(body)))
  const winners = replies.flatMap(({ status }, index) => (status === 200 ? [8 + index] : []))
  assert.equal(winners.length, 1, JSON.stringify(winners))
  for (const reply of replies)
    if (reply.status !== 200)
      assert.deepEqual(reply, { status: 409, type: 'text/x.tlog.size', text: `${winners[0]}\n` })
})

test('of two first checkpoints at once, one is cosigned', async () => {
  const fork = witnessedLog(log.origin, 'second')
  for (let round = 0; round < 5; round++) {
    await using witness = await startWitness([log.signer.key])
    const bodies = await Promise.all([log.body(0, 5), fork.body(0, 5), log.body(0, 5), fork.body(0, 5)])
    const replies = await Promise.all(bodies.map((body) => witness.post(body)))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  }
})

test('two witnesses of one log, and two logs of one witness, are independent', async () => {
  const other = witnessedLog('other.example/log')
  await using first = await startWitness([log.signer.key, other.signer.key])
  await using second = await startWitness([log.signer.key])
  assert.equal((await first.post(await log.body(0, 7))).status, 200)
  assert.equal((await first.post(await other.body(0, 3))).status, 200)
  assert.equal((await second.post(await log.body(0, 5))).status, 200)
  assert.equal((await first.post(await log.body(7, 8))).status, 200)
  assert.equal((await second.post(await log.body(7, 8))).text, '5\n')
})

test('the time of a cosignature is that of the clock, and a clock before 2026 cosigns nothing', async () => {
  let now = Date.UTC(2026, 10, 16)
  await using witness = await startWitness([log.signer.key], { change: () => ({ now: () => now }) })
  const reply = await witness.post(await log.body(0, 7))
  const { signatures } = parseCheckpoint(utf8((await log.note(7)) + reply.text))
  assert.equal(Buffer.from(signatures[1]!.signature).readBigUInt64BE(), BigInt(now / 1000))
  now = 0
  assert.equal((await witness.post(await log.body(7, 8))).status, 503)
  now = Date.UTC(2026, 10, 16)
  assert.equal((await witness.post(await log.body(7, 8))).status, 200)
})

test('a cosignature that could not be stored is not handed out, and the witness stops', async () => {
  await using witness = await startWitness([log.signer.key], {
    change: ({ store, sign }) => ({
      sign(message) {
        store[Symbol.dispose]()
        return sign(message)
      },
    }),
  })
  const reply = await witness.post(await log.body(0, 7))
  assert.equal(reply.status, 503)
  assert.doesNotMatch(reply.text, /—/)
  assert.match(String(witness.failures[0]), /finalized|not open/)
})

test('the database of a running witness cannot be opened a second time', async () => {
  await using witness = await cosignedAt(7)
  assert.throws(() => openWitnessStore(`${witness.folder}/witness.sqlite`), /already running/)
})
