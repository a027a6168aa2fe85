import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedJob } from './leases.ts'
import { type RunningJob, jobSlots } from './job-slots.ts'

const job = (attempts: number): ClaimedJob =>
  ({ job: { attempts }, lease: { jobId: 'job_a', token: attempts } }) as unknown as ClaimedJob

/** Whether a promise is settled already. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  void promise.then(() => (done = true))
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

async function claimed(promise: Promise<RunningJob | undefined>): Promise<RunningJob> {
  const running = await promise
  assert.ok(running !== undefined)
  return running
}

test('first attempts run concurrently', async () => {
  const jobs = jobSlots()
  const [first, second] = [
    await claimed(jobs.claim(async () => job(1))),
    await claimed(jobs.claim(async () => job(1))),
  ]
  assert.ok(await isDone(first.canStart()))
  assert.ok(await isDone(second.canStart()))
})

test('a retried job waits for running jobs, and nothing is claimed until it has finished', async () => {
  const jobs = jobSlots()
  const first = await claimed(jobs.claim(async () => job(1)))
  const retry = await claimed(jobs.claim(async () => job(2)))
  const starts = retry.canStart()
  assert.equal(await isDone(starts), false)
  const next = jobs.claim(async () => job(1))
  first[Symbol.dispose]()
  assert.ok(await isDone(starts))
  assert.equal(await isDone(next), false)
  retry[Symbol.dispose]()
  assert.ok(await isDone(next))
})

test('a claim that finds nothing or fails does not block the next one', async () => {
  const jobs = jobSlots()
  assert.equal(await jobs.claim(async () => undefined), undefined)
  await assert.rejects(
    jobs.claim(() => Promise.reject(new Error('no store'))),
    /no store/,
  )
  assert.ok(await isDone(jobs.claim(async () => job(2))))
})
