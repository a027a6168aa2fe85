import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedAddresses } from './outgoing.ts'

const REFUSED = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fec0::1',
  'localhost',
  '',
  '127.1',
]
const PUBLIC = ['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1']

test('addresses that are not public are refused, in every notation', () => {
  const { problem } = allowedAddresses([])
  for (const address of REFUSED) assert.notEqual(problem(address, true), undefined, address)
  for (const address of PUBLIC) {
    assert.equal(problem(address, true), undefined, address)
    assert.match(problem(address, false) ?? '', /https/, address)
  }
})

test('the operator can allow private addresses, and no others', () => {
  const { problem } = allowedAddresses(['10.1.0.0/16', '::1', 'fd00::/8'])
  for (const address of ['10.1.2.3', '::1', 'fd12::1'])
    assert.equal(problem(address, false), undefined, address)
  for (const address of ['10.2.0.1', '127.0.0.1', 'fc00::1', '::2'])
    assert.notEqual(problem(address, true), undefined, address)
})

test('an allowed IPv4 network is allowed in IPv6 notation too', () => {
  const { problem } = allowedAddresses(['10.1.0.0/16'])
  for (const address of ['::ffff:10.1.2.3', '::ffff:a01:203'])
    assert.equal(problem(address, false), undefined)
  assert.notEqual(problem('::ffff:10.2.0.1', true), undefined)
})

test('a refusal says whether it was an address', () => {
  const { problem } = allowedAddresses([])
  assert.equal(problem('fe80::1%eth0', true), 'fe80::1%eth0 is not a public address')
  assert.equal(problem('localhost', true), 'localhost is not an address')
})

test('a URL that no address can make reachable is refused, and any other is tried', () => {
  const [strict, local] = [allowedAddresses([]), allowedAddresses(['127.0.0.1', '10.1.0.0/16'])]
  for (const [url, says] of [
    ['http://example.com', /^the URL must begin with https:\/\/\. .*KITSEAL_WEBHOOK_ALLOW/],
    ['https://127.0.0.1', /^127\.0\.0\.1 is not a public address\. .*KITSEAL_WEBHOOK_ALLOW/],
    ['https://0x7f.1', /not a public address/],
    ['https://[::ffff:10.0.0.1]', /not a public address/],
    ['https://localhost', /not a public address/],
    ['https://api.localhost.', /not a public address/],
    ['https://receiver', /^receiver is not a public name\. .*KITSEAL_WEBHOOK_ALLOW/],
    ['http://93.184.215.14', /must begin with https/],
    ['https://a..example.com', /not a name that can be resolved$/],
    ['https://hooks.invalid', /not a name that can be resolved$/],
    [`https://${'a'.repeat(64)}.com`, /not a name that can be resolved$/],
    ['https://example.com:0', /^there is no port 0$/],
  ] as const)
    assert.match(strict.urlProblem(new URL(url)) ?? 'reachable', says, url)
  for (const url of [
    'https://example.com',
    'https://example.com.:8443/a',
    'https://93.184.215.14',
    'https://xn--bcher-kva.example',
  ])
    assert.equal(strict.urlProblem(new URL(url)), undefined, url)
  for (const url of [
    'http://localhost:1',
    'http://127.0.0.1',
    'http://10.1.2.3',
    'http://receiver',
    'http://example.com',
  ])
    assert.equal(local.urlProblem(new URL(url)), undefined, url)
  for (const url of ['http://10.2.0.1', 'https://[::1]', 'http://hooks.invalid'])
    assert.notEqual(local.urlProblem(new URL(url)), undefined, url)
})
