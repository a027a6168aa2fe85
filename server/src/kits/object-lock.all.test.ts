// With S3: without a server, its tests are skipped.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { alignLocks } from './lock-evidence.ts'
import { readObjectsLocation } from '../settings/objects-location.ts'
import { loadS3, type S3 } from '../objects/s3-client.ts'
import { openStore, type Store } from '../open-store.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'

const url = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
const location = readObjectsLocation(url)
const skip = location?.is === 's3' ? false : 'no S3 server: "npm run test:all" starts one'
const bucket = `lock-${randomUUID()}`

describe('S3 Object Lock', { skip }, () => {
  let s3: S3
  let service: TestService
  let store: Store
  let acme: WorkspaceClient
  const objects = `s3://${bucket}/evidence?${url.split('?', 2)[1]}`
  before(async () => {
    assert.ok(location?.is === 's3')
    s3 = await loadS3({ ...location, bucket })
    await s3.client.send(new s3.CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }))
    service = await testService({ KITSEAL_OBJECTS: objects, KITSEAL_OBJECT_LOCK: 'on' })
    store = await openStore(service.config)
    acme = await workspaceClient(service)
  })
  after(async () => {
    await store?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    s3?.client.destroy()
  })

  const hold = (method: 'PUT' | 'DELETE', id: string) =>
    service.call(`/v1/submissions/${id}/hold`, {
      method,
      headers: { 'x-api-key': acme.key, ...(method === 'PUT' ? { 'content-type': 'application/json' } : {}) },
      ...(method === 'PUT' ? { body: JSON.stringify({ reason: 'Case 7' }) } : {}),
    })

  async function issued(files: Readonly<Record<string, string>>): Promise<string> {
    const id = await acme.submission()
    await acme.upload(id, form(files))
    assert.equal((await acme.ended(id))['status'], 'PASS')
    return id
  }

  /** The versions of the evidence of a submission, as someone with the credentials of the bucket sees them. */
  async function versions(id: string) {
    const rows = await store.db
      .selectFrom('evidence')
      .select('sha256')
      .where('submission_id', '=', id as never)
      .execute()
    const found = []
    for (const { sha256 } of rows) {
      const Key = `evidence/objects/${sha256}`
      const { Versions = [] } = await s3.client.send(
        new s3.ListObjectVersionsCommand({ Bucket: bucket, Prefix: Key }),
      )
      for (const { VersionId = '' } of Versions) found.push({ Bucket: bucket, Key, VersionId })
    }
    return found
  }

  test('files under a legal hold cannot be deleted in the bucket either, until it is released', async () => {
    const id = await issued({ 'a.txt': 'kept by the store' })
    assert.equal((await hold('PUT', id)).status, 200)
    const [version] = await versions(id)
    assert.ok(version !== undefined)
    await assert.rejects(s3.client.send(new s3.DeleteObjectCommand(version)), { name: 'AccessDenied' })

    assert.equal((await hold('DELETE', id)).status, 204)
    await alignLocks(store)
    assert.deepEqual(await alignLocks(store), { locked: 0, unlocked: 0 }, 'nothing is left to do')
    await s3.client.send(new s3.DeleteObjectCommand(version))
    assert.deepEqual(await versions(id), [])
  })

  test('a file in two held submissions stays locked until both are released', async () => {
    const ids = [await issued({ 'a.txt': 'in both' }), await issued({ 'b.txt': 'in both' })] as const
    for (const id of ids) assert.equal((await hold('PUT', id)).status, 200)
    const [version] = await versions(ids[0])
    assert.ok(version !== undefined)
    await hold('DELETE', ids[0])
    await alignLocks(store)
    await assert.rejects(s3.client.send(new s3.DeleteObjectCommand(version)), { name: 'AccessDenied' })
    await hold('DELETE', ids[1])
    await alignLocks(store)
    const status = await s3.client.send(new s3.GetObjectLegalHoldCommand(version))
    assert.equal(status.LegalHold?.Status, 'OFF')
  })

  test('files that are sealed after the hold was placed are locked by maintenance', async () => {
    const id = await acme.submission()
    assert.equal((await hold('PUT', id)).status, 200)
    await acme.upload(id, form({ 'late.txt': 'after the hold' }))
    await acme.ended(id)
    assert.ok((await alignLocks(store)).locked > 0)
    const [version] = await versions(id)
    assert.ok(version !== undefined)
    await assert.rejects(s3.client.send(new s3.DeleteObjectCommand(version)), { name: 'AccessDenied' })
  })

  test('a deleted object leaves no older version behind', async () => {
    const id = await issued({ 'a.txt': 'to be erased' })
    const [{ Key = '' } = {}] = await versions(id)
    await s3.client.send(new s3.PutObjectCommand({ Bucket: bucket, Key, Body: 'to be erased' }))
    assert.equal((await versions(id)).length, 2)
    await store.objects.delete(Key.slice(-64))
    assert.deepEqual(await versions(id), [])
  })

  test('a bucket without Object Lock is reported at start', async () => {
    await assert.rejects(testService({ KITSEAL_OBJECTS: url, KITSEAL_OBJECT_LOCK: 'on' }), (error: Error) => {
      assert.match(
        error.message,
        /^KITSEAL_OBJECT_LOCK is on, but the bucket kitseal-test has no Object Lock\. /,
      )
      return true
    })
  })
})
