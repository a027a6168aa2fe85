import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parseCertificates, parseTimeStamp, utf8, verifyTimeStamp } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import {
  noOpenssl,
  type TimeStampAuthority,
  timeStampAuthority,
} from '../../../test/kit/time-stamp-authority.ts'
import { askAuthority, type AuthorityAnswer, type AuthorityOptions } from './ask-authorities.ts'
import type { SignedHead } from './ask-witness.ts'

const head: SignedHead = {
  size: 1,
  root: '',
  note: { text: 'issuer.example/log\n1\nroot\n', signatures: [] },
  committedAt: Date.now(),
  frozen: undefined,
  timeStamp: undefined,
}
let authority: TimeStampAuthority
let other: TimeStampAuthority

before(async () => {
  if (noOpenssl !== false) return
  authority = await timeStampAuthority()
  other = await timeStampAuthority()
})
after(async () => {
  await authority?.[Symbol.asyncDispose]()
  await other?.[Symbol.asyncDispose]()
})

const rootsOf = ({ rootsFile }: TimeStampAuthority) => parseCertificates(readFileSync(rootsFile))

function ask(options: Partial<AuthorityOptions> = {}): Promise<AuthorityAnswer> {
  const signal = AbortSignal.timeout(60_000)
  return askAuthority(authority.url, head, {
    roots: rootsOf(authority),
    now: () => Date.now(),
    signal,
    ...options,
  })
}

test(
  'a real authority stamps the text of a checkpoint, and its answer is verified',
  { skip: noOpenssl },
  async () => {
    const answer = await ask()
    assert.ok(answer.is === 'stamped', JSON.stringify(answer))
    const status = await verifyTimeStamp(
      parseTimeStamp(answer.timeStamp),
      utf8(head.note.text),
      rootsOf(authority),
      nodeHost,
    )
    assert.ok(status.is === 'trusted' && status.authority === 'Test authority')
    assert.equal((await ask({ roots: undefined })).is, 'stamped', 'without roots, nobody asks who it is')
    assert.match(problemOf(await ask({ roots: rootsOf(other) })), /its time-stamp is untrusted/)
    const [first, second] = authority.requests
    assert.notDeepEqual(first, second, 'each request has its own nonce')
  },
)

test(
  'an answer to another request, about something else or at another time is not accepted',
  { skip: noOpenssl },
  async () => {
    const earlier = authority.stamp(authority.requests[0] ?? new Uint8Array(0))
    const damaged = (request: Uint8Array): Uint8Array => {
      const bytes = authority.stamp(request)
      bytes[bytes.length - 3]! ^= 1
      return bytes
    }
    const cases: readonly (readonly [TimeStampAuthority['answer'], RegExp])[] = [
      [() => earlier, /to another request/],
      [(request) => authority.stamp(changedImprint(request)), /is not for this checkpoint/],
      [damaged, /its time-stamp is invalid|is not a time-stamp/],
      [() => new Uint8Array([0x30, 5, 0x30, 3, 2, 1, 2]), /is not a time-stamp/],
      [() => utf8('<html>'), /is not a time-stamp/],
      [() => new Uint8Array(0), /is not a time-stamp/],
      [() => new Uint8Array(1_000_000), /more than 65536 bytes/],
      [() => 302, /a redirect\. Correct its URL in KITSEAL_TSA_URL/],
      [() => 500, /it returned 500/],
    ]
    for (const [answer, problem] of cases) {
      authority.answer = answer
      assert.match(problemOf(await ask()), problem)
    }
    authority.answer = () => undefined
    assert.match(problemOf(await ask({ signal: AbortSignal.timeout(100) })), /did not answer in time/)
    authority.answer = authority.stamp
    for (const hours of [-1, 1])
      assert.match(
        problemOf(await askAt(Date.now() + hours * 3_600_000)),
        /is wrong\. Compare the clocks/,
        `${hours}`,
      )
  },
)

/** As if the checkpoint were committed, and the time now, at another time. */
function askAt(time: number): Promise<AuthorityAnswer> {
  const options = { roots: undefined, now: () => time, signal: AbortSignal.timeout(60_000) }
  return askAuthority(authority.url, { ...head, committedAt: time }, options)
}

/** The same request for another hash. */
function changedImprint(request: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(request)
  const hash = nodeHost.digest(utf8(head.note.text))
  const at = Buffer.from(bytes).indexOf(hash)
  bytes[at]! ^= 1
  return bytes
}

function problemOf(answer: AuthorityAnswer): string {
  assert.ok(answer.is === 'failed', JSON.stringify(answer))
  return answer.problem
}
