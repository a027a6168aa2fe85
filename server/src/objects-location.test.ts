import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { readObjectsLocation } from './objects-location.ts'

test('a bucket with a prefix and an endpoint of its own is read', () => {
  assert.deepEqual(
    readObjectsLocation('s3://evidence/a/b/?endpoint=http://127.0.0.1:9000&region=eu&path_style=false'),
    {
      is: 's3',
      bucket: 'evidence',
      prefix: 'a/b/',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu',
      pathStyle: false,
    },
  )
})

test('at AWS the region may come from elsewhere, and buckets have names of hosts; stores of one’s own have paths', () => {
  const aws = readObjectsLocation('s3://evidence')
  assert.ok(aws?.is === 's3')
  assert.deepEqual([aws.prefix, aws.endpoint, aws.region, aws.pathStyle], ['', undefined, undefined, false])
  const own = readObjectsLocation('s3://evidence?endpoint=https://s3.example')
  assert.ok(own?.is === 's3')
  assert.deepEqual([own.region, own.pathStyle], ['us-east-1', true])
})

test('what holds a secret, or is no place, is refused', () => {
  for (const value of [
    's3://user:secret@evidence',
    's3://evidence?access_key=x',
    's3://evidence?endpoint=http://user:secret@host',
    's3://evidence?endpoint=ftp://host',
    's3://evidence?path_style=perhaps',
    's3://evidence?region=a&region=b',
    's3://EVIDENCE_/x',
    's3://evidence/ä',
    's3://',
    's3:/evidence',
    's3:evidence',
    's3://evidence/%zz',
    'https://evidence.example',
  ])
    assert.equal(readObjectsLocation(value), undefined, value)
})

test('objects lie in the data folder where nothing is said, and in the folder that is named', () => {
  const inData = readConfig({ KITSEAL_DATA: '/srv/kitseal' })
  const named = readConfig({ KITSEAL_OBJECTS: '/mnt/objects' })
  assert.ok(inData.ok && named.ok)
  assert.deepEqual(inData.value.objects, { is: 'folder', path: '/srv/kitseal/objects' })
  assert.deepEqual(named.value.objects, { is: 'folder', path: '/mnt/objects' })
})

test('a place that holds a secret is not repeated where it is refused', () => {
  for (const place of [
    's3://user:very-secret@evidence',
    's3://evidence?secret_access_key=very-secret&region=x',
  ]) {
    const read = readConfig({ KITSEAL_OBJECTS: place })
    assert.ok(!read.ok)
    assert.doesNotMatch(read.problems.join(), /very-secret/)
    assert.match(read.problems.join(), /KITSEAL_OBJECTS/)
  }
})
