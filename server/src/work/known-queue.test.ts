import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownQueue } from './known-queue.ts'
import type { ClaimedJob } from './leases.ts'

const JOBS = [{} as ClaimedJob]
const HOUR_MS = 3_600_000

/** Answers each claim with the next of these. */
function claims(...answers: readonly (readonly ClaimedJob[])[]) {
  const left = [...answers]
  const claim = async (): Promise<readonly ClaimedJob[]> => left.shift() ?? assert.fail('one claim too many')
  return { claim, left: () => left.length }
}

test('after a search that found nothing, the next one asks the database only if something may have changed', async () => {
  const reports: boolean[] = []
  const queue = knownQueue(HOUR_MS, (isEmpty) => reports.push(isEmpty))
  const { claim, left } = claims(JOBS, [], JOBS)
  assert.equal(await queue.search(claim), JOBS)
  assert.deepEqual(await queue.search(claim), [])
  assert.deepEqual(await queue.search(claim), [])
  assert.equal(left(), 1)
  queue.changed()
  assert.equal(await queue.search(claim), JOBS)
  assert.deepEqual(reports, [false, true, false])
})

test('what was found becomes old', async () => {
  const queue = knownQueue(0, () => {})
  const { claim } = claims([], JOBS)
  assert.deepEqual(await queue.search(claim), [])
  assert.equal(await queue.search(claim), JOBS)
})

test('a job that comes during a search is looked for again', async () => {
  const reports: boolean[] = []
  const queue = knownQueue(HOUR_MS, (isEmpty) => reports.push(isEmpty))
  await queue.search(async () => {
    queue.changed()
    return []
  })
  assert.deepEqual(reports, [false])
  assert.equal(await queue.search(async () => JOBS), JOBS)
})
