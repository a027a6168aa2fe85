import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, type Store } from '../open-store.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'
import { alignLocks, lockEvidence } from './lock-evidence.ts'

let service: TestService
let store: Store
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  store = await openStore(service.config)
  acme = await workspaceClient(service)
})
after(async () => {
  await store[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

/** A store that can lock objects. `onUnlocked` runs right after an object is unlocked. */
function lockingStore(locked: Set<string>, onUnlocked: () => Promise<void> = async () => {}) {
  const locks = {
    check: async () => {},
    lock: async (sha256: string) => void locked.add(sha256),
    unlock: async (sha256: string) => {
      locked.delete(sha256)
      await onUnlocked()
    },
  }
  return { db: store.db, clock: store.clock, objects: { locks } }
}

async function held(content: string): Promise<{ readonly id: never; readonly sha256: string }> {
  const id = (await acme.submission()) as never
  await acme.upload(id, form({ 'a.txt': content }))
  await acme.ended(id)
  await place(id)
  const row = await store.db
    .selectFrom('evidence')
    .select('sha256')
    .where('submission_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, sha256: row.sha256 }
}

async function place(id: never): Promise<void> {
  const hold = {
    submission_id: id,
    reason: 'Case 7',
    placed_at: '2026-01-01T00:00:00.000Z',
    placed_by: 'key:k',
  }
  await store.db.insertInto('holds').values(hold).execute()
}

const release = (id: never) => store.db.deleteFrom('holds').where('submission_id', '=', id).execute()

test('a hold that is placed while its file is being unlocked leaves the file locked', async () => {
  const locked = new Set<string>()
  const { id, sha256 } = await held('placed again')
  await lockEvidence(lockingStore(locked), id)
  assert.ok(locked.has(sha256))
  await release(id)
  let isPlaced = false
  const racing = lockingStore(locked, async () => {
    if (!isPlaced) await place(id)
    isPlaced = true
  })
  await alignLocks(racing)
  // Objects that were unlocked after the hold was placed are locked again in the same run.
  assert.ok(locked.has(sha256))
  await alignLocks(lockingStore(locked))
  assert.ok(locked.has(sha256))
  await release(id)
  await alignLocks(lockingStore(locked))
  assert.equal(locked.size, 0)
})

test('what a process was interrupted in is done again, whether it locked or unlocked', async () => {
  const locked = new Set<string>()
  const { id, sha256 } = await held('interrupted')
  const failing = lockingStore(locked)
  failing.objects.locks.lock = async () => assert.fail('interrupted')
  await assert.rejects(lockEvidence(failing, id), /interrupted/)
  await alignLocks(lockingStore(locked))
  assert.ok(locked.has(sha256))

  await release(id)
  const killed = lockingStore(locked, async () => assert.fail('interrupted'))
  await assert.rejects(alignLocks(killed), /interrupted/)
  await place(id)
  await alignLocks(lockingStore(locked))
  assert.ok(locked.has(sha256), 'unlocked before the interruption, and held again')
})

test('a store without locks is left alone', async () => {
  assert.deepEqual(await alignLocks(store), { locked: 0, unlocked: 0 })
})
