import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownWork } from './own-work.ts'

test('other nodes hear of a job only if the workers of this node have others to do', () => {
  const work = ownWork(2)
  assert.deepEqual([work.added(), work.added(), work.added()], [false, false, true])
  work.ended()
  assert.equal(work.added(), true, 'two are still unfinished')
  work.ended()
  work.ended()
  assert.equal(work.added(), false)
})

test('jobs of other nodes that end here do not hide jobs of this node', () => {
  const work = ownWork(1)
  work.ended()
  work.ended()
  assert.deepEqual([work.added(), work.added()], [false, true])
})
