import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobId } from '../runtime/identifiers.ts'
import { workPlaces } from './places.ts'

const JOB = 'job_1' as JobId

function placesOf(workers: number) {
  const handedOver: JobId[] = []
  const handOver = (jobId: JobId): void => void handedOver.push(jobId)
  return { places: workPlaces({ owner: 'a worker', leaseMs: 1000, workers, handOver }), handedOver }
}

test('a job has a place only while no other is waiting', () => {
  const { places } = placesOf(2)
  assert.equal(places.reserve(), undefined, 'nothing is known yet')
  places.queueSeen(true)
  using place = places.reserve()
  assert.equal(place?.owner, 'a worker')
  places.queueSeen(false)
  assert.equal(places.reserve(), undefined)
})

test('there are as many places as workers, and each is free again when its job has left or did not come', () => {
  const { places, handedOver } = placesOf(1)
  places.queueSeen(true)
  {
    using place = places.reserve()
    assert.equal(places.reserve(), undefined, 'it is reserved')
    assert.ok(place)
  }
  {
    using place = places.reserve()
    place?.handOver(JOB)
  }
  assert.deepEqual(handedOver, [JOB])
  assert.equal(places.reserve(), undefined, 'its job occupies it')
  places.left()
  assert.ok(places.reserve())
})
