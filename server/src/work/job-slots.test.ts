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
    await claimed(jobs.claim(async () => [job(1)])),
    await claimed(jobs.claim(async () => [job(1)])),
  ]
  assert.ok(await isDone(first.canStart()))
  assert.ok(await isDone(second.canStart()))
})

test('a retried job waits for running jobs, and nothing is claimed until it has finished', async () => {
  const jobs = jobSlots()
  const first = await claimed(jobs.claim(async () => [job(1)]))
  const retry = await claimed(jobs.claim(async () => [job(2)]))
  const starts = retry.canStart()
  assert.equal(await isDone(starts), false)
  const next = jobs.claim(async () => [job(1)])
  first[Symbol.dispose]()
  assert.ok(await isDone(starts))
  assert.equal(await isDone(next), false)
  retry[Symbol.dispose]()
  assert.ok(await isDone(next))
})

test('a claim that finds nothing or fails does not block the next one', async () => {
  const jobs = jobSlots()
  assert.equal(await jobs.claim(async () => []), undefined)
  await assert.rejects(
    jobs.claim(() => Promise.reject(new Error('no store'))),
    /no store/,
  )
  assert.ok(await isDone(jobs.claim(async () => [job(2)])))
})

test('jobs that were claimed together start one by one without another claim, the retry last and alone', async () => {
  const jobs = jobSlots()
  let claims = 0
  const claimNext = async () => {
    claims += 1
    return claims === 1 ? [job(2), job(1), job(1)] : []
  }
  const first = await claimed(jobs.claim(claimNext))
  const second = await claimed(jobs.claim(claimNext))
  const retry = await claimed(jobs.claim(claimNext))
  assert.equal(claims, 1)
  assert.deepEqual(
    [first, second, retry].map((each) => each.claimed.job.attempts),
    [1, 1, 2],
  )
  assert.equal(await isDone(retry.canStart()), false)
  first[Symbol.dispose]()
  second[Symbol.dispose]()
  assert.ok(await isDone(retry.canStart()))
})

test('jobs that did not start can be taken back, and do not start then', async () => {
  const jobs = jobSlots()
  await claimed(jobs.claim(async () => [job(1), job(1), job(1)]))
  assert.equal(jobs.hasMore, true)
  assert.equal(jobs.takeBack(60_000).length, 0, 'not so early')
  assert.equal(jobs.takeBack(0).length, 2)
  assert.equal(jobs.hasMore, false)
  assert.equal(await jobs.claim(async () => []), undefined)
})
