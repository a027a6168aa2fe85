import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressRule } from './addresses.ts'

test('only public addresses are allowed, unless one is named', () => {
  const isAllowed = addressRule([])
  for (const address of ['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'])
    assert.equal(isAllowed(address), true, address)
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1%eth0',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    'ff02::1',
    'localhost',
    '',
  ])
    assert.equal(isAllowed(address), false, address)
  const local = addressRule(['127.0.0.1', 'fd00::/8'])
  assert.deepEqual([local('127.0.0.1'), local('127.0.0.2'), local('fd12::1')], [true, false, true])
})
