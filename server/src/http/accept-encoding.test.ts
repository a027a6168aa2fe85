import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredCoding } from './accept-encoding.ts'

test('the coding with the greatest weight is chosen, and br if weights are equal', () => {
  for (const [header, coding] of [
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br ; q=0.001', 'br'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0.5, gzip;q=1.0', 'gzip'],
    ['identity, gzip', 'gzip'],
  ] as const)
    assert.equal(preferredCoding(header), coding, header)
})

test('there is no coding if none is accepted, or none is preferred', () => {
  for (const header of [
    undefined,
    '',
    'identity',
    'deflate, zstd',
    'gzip;q=0, br;q=0.000',
    'identity;q=1, gzip;q=0.5',
    'identity;q=0',
    '*;q=0',
    'gzip;q=2',
    'gzip;q=0.1234',
    'gzip;level=9',
    'gzipped',
    ';;;,,,',
  ])
    assert.equal(preferredCoding(header), undefined, header)
})

test('only codings that are available are chosen', () => {
  assert.equal(preferredCoding('br, gzip;q=0.1', ['gzip']), 'gzip')
  assert.equal(preferredCoding('br, gzip', []), undefined)
})
