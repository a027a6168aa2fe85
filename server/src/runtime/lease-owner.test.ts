import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseOwner, ownerIsGone } from './lease-owner.ts'

for (const shared of [false, true]) {
  const database = shared ? 'PostgreSQL' : 'SQLite'
  test(`with ${database}, a lease owner is gone only if it ran on this machine and its process ID is unused or our own`, () => {
    const [machine, pid] = [thisMachine(), process.pid]
    const self = { owner: `${machine}/${pid}/a`, shared }
    assert.equal(ownerIsGone(`${machine}/${pid}/a`, self), false, 'itself')
    assert.equal(ownerIsGone(`${machine}/${pid}/b`, self), true, 'an earlier process with the same ID')
    assert.equal(ownerIsGone(`other/${pid}/b`, self), false, 'another machine')
    assert.equal(ownerIsGone(`${machine}/${process.ppid}/b`, self), false, 'a running process')
    assert.equal(ownerIsGone(`${machine}/4194305/b`, self), true, 'an ended process')
  })
}

test('with PostgreSQL, another boot or another container on this host counts as another machine', () => {
  const [host = '', boot = '', table = ''] = thisMachine().split(' ')
  const self = { owner: leaseOwner(), shared: true }
  assert.equal(ownerIsGone(`${host} 0a1b2c3d-0000 ${table}/4194305/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} 1/4194305/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} 1/${process.pid}/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} ${table}/4194305/b`, self), true)
})

const thisMachine = (): string => leaseOwner().split('/')[0] ?? ''
