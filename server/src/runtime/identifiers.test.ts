import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Identifiers, isJobId, isKitId, isSubmissionId, randomIdentifiers } from './identifiers.ts'

const NOON = Date.parse('2026-11-17T12:00:00Z')
const at = (milliseconds: number): Identifiers => randomIdentifiers({ now: () => milliseconds })
const TIME_LENGTH = 7
const RANDOM = /^[\w-]{22,}$/

const IN_TIME_ORDER = [
  'jobId',
  'kitId',
  'submissionId',
  'uploadId',
  'workspaceId',
  'memberId',
  'invitationId',
  'linkId',
  'shareId',
  'evidenceRequestId',
] as const satisfies readonly (keyof Identifiers)[]

const RANDOM_ONLY = ['sessionId', 'ceremonyId', 'requestId'] as const satisfies readonly (keyof Identifiers)[]

/** What follows the prefix. */
const body = (id: string): string => id.slice(id.indexOf('_') + 1)

test('every ID has 128 or more random bits after its prefix and its time', () => {
  const ids = at(NOON)
  for (const name of IN_TIME_ORDER) assert.match(body(ids[name]()).slice(TIME_LENGTH), RANDOM, name)
  for (const name of RANDOM_ONLY) assert.match(body(ids[name]()), RANDOM, name)
})

test('IDs of the same second have nothing but the time in common', () => {
  const ids = at(NOON)
  const made = Array.from({ length: 1000 }, () => body(ids.jobId()))
  assert.deepEqual(new Set(made.map((each) => each.slice(0, TIME_LENGTH))).size, 1)
  assert.equal(new Set(made.map((each) => each.slice(TIME_LENGTH))).size, made.length)
  for (let column = TIME_LENGTH; column < TIME_LENGTH + 22; column += 1) {
    const seen = new Set(made.map((each) => each[column]))
    assert.equal(seen.size, 64, `column ${column} takes every character`)
  }
})

test('IDs of a later second sort after those of an earlier one, in every collation', () => {
  const SECONDS = [0, 1, 31, 32, 1023, 1024, NOON / 1000, NOON / 1000 + 1, 2 ** 32, 2 ** 35 - 1]
  const inOrder = SECONDS.map((second) => at(second * 1000 + 999).submissionId())
  for (const compare of [byCodeUnit, new Intl.Collator('en').compare, new Intl.Collator('de').compare])
    assert.deepEqual(inOrder.toReversed().toSorted(compare), inOrder)
})

test('IDs that are not keys of large tables have no time in them', () => {
  for (const name of RANDOM_ONLY) {
    const [one, other] = [at(NOON)[name](), at(NOON)[name]()].map(body)
    assert.notEqual(one?.slice(0, TIME_LENGTH), other?.slice(0, TIME_LENGTH), name)
  }
})

test('IDs are accepted from 22 characters on, also without a time', () => {
  const ids = at(NOON)
  assert.ok(isJobId(ids.jobId()) && isKitId(ids.kitId()) && isSubmissionId(ids.submissionId()))
  assert.ok(isJobId('job_4Xw0s6S1d2v3b4n5m6a7s8d9f0g'))
  assert.ok(!isJobId('job_4Xw0s6S1d2v3b4n5m6a7s') && !isJobId(ids.kitId()))
})

const byCodeUnit = (one: string, other: string): number => (one < other ? -1 : 1)
