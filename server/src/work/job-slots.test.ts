import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedJob } from './leases.ts'
import { type RunningJob, jobSlots } from './job-slots.ts'

const job = (attempts: number): ClaimedJob =>
  ({ job: { attempts }, lease: { jobId: 'job_a', token: attempts } }) as unknown as ClaimedJob

/** Whether a promise has come to its end by now; no clock is asked. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  void promise.then(() => (done = true))
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

async function taken(promise: Promise<RunningJob | undefined>): Promise<RunningJob> {
  const inHand = await promise
  assert.ok(inHand !== undefined)
  return inHand
}

test('jobs that are begun for the first time are worked on side by side', async () => {
  const jobs = jobSlots()
  const [first, second] = [
    await taken(jobs.claim(async () => job(1))),
    await taken(jobs.claim(async () => job(1))),
  ]
  assert.ok(await isDone(first.canStart()))
  assert.ok(await isDone(second.canStart()))
})

test('a job that was begun before waits for those in hand, and nothing is claimed until it has ended', async () => {
  const jobs = jobSlots()
  const fresh = await taken(jobs.claim(async () => job(1)))
  const again = await taken(jobs.claim(async () => job(2)))
  const begins = again.canStart()
  assert.equal(await isDone(begins), false)
  const next = jobs.claim(async () => job(1))
  fresh[Symbol.dispose]()
  assert.ok(await isDone(begins))
  assert.equal(await isDone(next), false)
  again[Symbol.dispose]()
  assert.ok(await isDone(next))
})

test('a claim that finds nothing, or fails, keeps nobody waiting', async () => {
  const jobs = jobSlots()
  assert.equal(await jobs.claim(async () => undefined), undefined)
  await assert.rejects(
    jobs.claim(() => Promise.reject(new Error('no store'))),
    /no store/,
  )
  assert.ok(await isDone(jobs.claim(async () => job(2))))
})
