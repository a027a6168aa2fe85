import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { readObjectsLocation } from './parse.ts'

test('an S3 location has a bucket, a prefix and options', () => {
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

test('AWS uses virtual-hosted buckets and its own region lookup; other endpoints use paths and a default region', () => {
  const aws = readObjectsLocation('s3://evidence')
  assert.ok(aws?.is === 's3')
  assert.deepEqual([aws.prefix, aws.endpoint, aws.region, aws.pathStyle], ['', undefined, undefined, false])
  const own = readObjectsLocation('s3://evidence?endpoint=https://s3.example')
  assert.ok(own?.is === 's3')
  assert.deepEqual([own.region, own.pathStyle], ['us-east-1', true])
})

test('locations with secrets and invalid locations are rejected', () => {
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

test('objects are stored in the data folder by default, or in the configured folder', () => {
  const byDefault = readConfig({ KITSEAL_DATA: '/srv/kitseal' })
  const configured = readConfig({ KITSEAL_OBJECTS: '/mnt/objects' })
  assert.ok(byDefault.ok && configured.ok)
  assert.deepEqual(byDefault.value.objects, { is: 'folder', path: '/srv/kitseal/objects' })
  assert.deepEqual(configured.value.objects, { is: 'folder', path: '/mnt/objects' })
})

test('the error for a location with a secret does not quote it', () => {
  for (const location of [
    's3://user:very-secret@evidence',
    's3://evidence?secret_access_key=very-secret&region=x',
  ]) {
    const read = readConfig({ KITSEAL_OBJECTS: location })
    assert.ok(!read.ok)
    assert.doesNotMatch(read.problems.join(), /very-secret/)
    assert.match(read.problems.join(), /KITSEAL_OBJECTS/)
  }
})
