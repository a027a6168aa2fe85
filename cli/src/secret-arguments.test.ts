import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretArguments } from './run-collector.ts'

test('a password in a command line is found, and its value is not repeated', () => {
  assert.deepEqual(secretArguments(['scan', '--password', 'correct horse']), ['value of --password'])
  assert.deepEqual(secretArguments(['scan', '--db.password=correct']), ['value of --db.password'])
  assert.deepEqual(secretArguments(['scan', '--api-key', 'abcd1234']), ['value of --api-key'])
  assert.deepEqual(secretArguments(['scan', '--github-token', 'abcd1234']), ['value of --github-token'])
  assert.deepEqual(secretArguments(['scan', 'https://anna:word@host/']), [
    'password in the URL of argument 1',
  ])
  assert.deepEqual(secretArguments(['scan', '--url=https://anna:word@host/']), [
    'password in the URL of argument 1',
  ])
})

test('files, variables and other options are no secrets', () => {
  for (const line of [
    ['scan', '--password', '--verbose'],
    ['scan', '--password-file', 'password.txt'],
    ['scan', '--token', '/run/secrets/token'],
    ['scan', '--token=env:TOKEN'],
    ['scan', '--password'],
    ['scan', '--password='],
    ['scan', '--scanners', 'secret,vuln'],
    ['scan', 'https://host:8080/a@b'],
    ['scan', 'token', 'abcd1234'],
  ])
    assert.deepEqual(secretArguments(line), [], line.join(' '))
})
