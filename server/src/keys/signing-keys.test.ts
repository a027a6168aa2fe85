import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseJwks, wasKeyActive } from '@kitseal/kit/internal'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { until } from '../../../test/kit/until.ts'
import { type KitId, randomIdentifiers } from '../runtime/identifiers.ts'
import { newJob } from '../submissions/create-submission.ts'
import { fileKeys } from './file-signer.ts'
import { keyMaySign } from './signing-key-queries.ts'
import { signingKeys } from './signing-keys.ts'

onEachDatabase((database) => {
  test('concurrent first starts create one key', async () => {
    await using store = await openKeyStore(database)
    const created = await Promise.all([
      store.keys.ensureFirstKey(),
      store.inOtherProcess().ensureFirstKey(),
      store.keys.ensureFirstKey(),
    ])
    assert.equal(created.filter(Boolean).length, 1)
    assert.equal((await store.keys.publicKeys()).keys.length, 1)
    assert.equal((await readdir(join(store.folder, 'keys'))).length, 1)
    assert.equal(await store.keys.ensureFirstKey(), false)
  })

  test('the key set contains only public members and can be parsed', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    await store.keys.rotate()
    const { body } = await store.keys.published()
    const parsed = parseJwks(JSON.parse(body))
    assert.ok(parsed.ok)
    assert.equal(parsed.value.keys.length, 2)
    assert.deepEqual(parsed.value.refused, [])
    const [active, retired] = parsed.value.keys
    assert.deepEqual(Object.keys(active ?? {}).toSorted(), ['alg', 'crv', 'iat', 'kid', 'kty', 'use', 'x'])
    assert.deepEqual(Object.keys(retired ?? {}).toSorted(), [
      'alg',
      'crv',
      'exp',
      'iat',
      'kid',
      'kty',
      'use',
      'x',
    ])
  })

  test('a compromised key is published with its time, recorded in the log, and its time moves only back', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const { kid } = (await store.keys.startSigning()).signer
    const since = (time: string) => store.keys.compromise(kid, `2026-05-0${time}:00:00.000Z`)
    assert.equal((await since('2T08')).is, 'done')
    assert.notEqual((await store.keys.startSigning()).signer.kid, kid)
    assert.deepEqual(await since('3T08'), { is: 'refused', why: 'not_earlier' })
    assert.equal((await since('1T08')).is, 'done')
    const { keys, revoked_keys: revoked } = await store.keys.publicKeys()
    assert.ok(keys.every((key) => key.kid !== kid))
    assert.deepEqual(
      revoked.map((key) => ({ kid: key.kid, compromised_since: key.compromised_since })),
      [{ kid, compromised_since: '2026-05-01T08:00:00.000Z' }],
    )
    const leaves = await store.db.selectFrom('log_leaves').select('leaf').orderBy('leaf_id').execute()
    assert.deepEqual(
      leaves
        .map(
          ({ leaf }) =>
            JSON.parse(leaf) as { readonly kid: string; readonly event: string; readonly since?: string },
        )
        .filter((leaf) => leaf.kid === kid)
        .map((leaf) => [leaf.event, leaf.since]),
      [
        ['added', undefined],
        ['compromised', '2026-05-02T08:00:00.000Z'],
        ['compromised', '2026-05-01T08:00:00.000Z'],
      ],
    )
  })

  test('a key that was revoked is never marked as compromised, which would make its kits valid again', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const { kid } = (await store.keys.startSigning()).signer
    await store.keys.revoke(kid)
    assert.deepEqual(await store.keys.compromise(kid, '2026-05-01T00:00:00.000Z'), {
      is: 'refused',
      why: 'revoked',
    })
    await assert.rejects(
      store.db
        .updateTable('signing_keys')
        .set({ compromised_since: '2026-05-01T00:00:00.000Z' })
        .where('kid', '=', kid)
        .execute(),
      /the compromise of a signing key is stated when it is revoked/,
    )
  })

  test('rotation activates a new key, and signatures of the old key stay valid', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    store.clock.time += 5_999
    const before = await store.keys.startSigning()
    await store.keys.rotate()
    const after = await store.keys.startSigning()
    assert.notEqual(after.signer.kid, before.signer.kid)
    const { keys } = await store.keys.publicKeys()
    const published = (kid: string) =>
      keys.find((key) => key.kid === kid) ?? assert.fail('the key is not in the set')
    assert.equal(wasKeyActive(published(before.signer.kid), before.issuedAt), true)
    assert.equal(wasKeyActive(published(after.signer.kid), after.issuedAt), true)
    store.clock.time += 1001
    assert.equal(wasKeyActive(published(before.signer.kid), new Date(store.clock.time).toISOString()), false)
  })

  test('a clock slightly behind the creation of the key does not invalidate receipts', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    store.clock.time -= 4000
    const signing = await store.keys.startSigning()
    assert.equal(signing.jwks.keys.length, 1)
    assert.equal(
      signing.jwks.keys.every((key) => wasKeyActive(key, signing.issuedAt)),
      true,
    )
  })

  test('with a clock set back before the creation of the key, nothing is signed', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    store.clock.time -= 3_600_000
    const refused = { name: 'ImplausibleTime', message: /was created at .*, but it is .*: check the clocks$/ }
    await assert.rejects(store.keys.startSigning(), refused)
    assert.ok(await store.keys.activeSigner(), 'the key itself can be used')
    store.clock.time += 3_600_000
    const job = new Date(store.clock.time + 4000).toISOString()
    assert.equal((await store.keys.startSigning(job)).issuedAt, job, 'not before the job')
    store.clock.time -= 2000
    await assert.rejects(store.keys.startSigning(job), refused)
  })

  test('a key retired after the clock was set back still covers what it signed', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    store.clock.time += 60_000
    const { signer, issuedAt } = await store.keys.startSigning()
    await store.storeKit(signer.kid, issuedAt)
    store.clock.time -= 30_000
    await store.keys.rotate()
    const { keys } = await store.keys.publicKeys()
    const old = keys.find((key) => key.kid === signer.kid) ?? assert.fail('the key is not in the set')
    assert.equal(wasKeyActive(old, issuedAt), true)
  })

  test('a key may sign only between its creation and its end', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const { signer, issuedAt } = await store.keys.startSigning()
    const later = new Date(store.clock.time + 60_000).toISOString()
    const earlier = new Date(store.clock.time - 60_000).toISOString()
    assert.equal(await keyMaySign(store.db, signer.kid, issuedAt), true)
    assert.equal(await keyMaySign(store.db, signer.kid, later), true)
    assert.equal(await keyMaySign(store.db, signer.kid, earlier), false)
    await store.keys.rotate()
    assert.equal(await keyMaySign(store.db, signer.kid, issuedAt), true)
    assert.equal(await keyMaySign(store.db, signer.kid, later), false)
    await store.keys.revoke(signer.kid)
    assert.equal(await keyMaySign(store.db, signer.kid, issuedAt), false)
    assert.equal(await keyMaySign(store.db, 'unknown', issuedAt), false)
  })

  test('the database rejects a kit whose key was not active at that time', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const { signer, issuedAt } = await store.keys.startSigning()
    const later = new Date(store.clock.time + 60_000).toISOString()
    const earlier = new Date(store.clock.time - 60_000).toISOString()
    const rejected = /a kit is signed by a key that is alive at its time/
    await assert.rejects(store.storeKit(signer.kid, earlier, 'early'), rejected)
    await store.keys.rotate()
    await assert.rejects(store.storeKit(signer.kid, later, 'late'), rejected)
    await store.storeKit(signer.kid, issuedAt, 'in time')
    await store.keys.revoke(signer.kid)
    await assert.rejects(store.storeKit(signer.kid, issuedAt, 'revoked'), rejected)
  })

  test('a revoked key leaves the key set, and an active one is replaced immediately', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const { kid } = await store.keys.activeSigner()
    const change = await store.keys.revoke(kid)
    assert.equal(change.is, 'done')
    const { keys } = await store.keys.publicKeys()
    assert.equal(keys.length, 1)
    assert.notEqual(keys[0]?.kid, kid)
    const { body } = await store.keys.published()
    const [listed, ...more] = JSON.parse(body).revoked_keys
    assert.deepEqual([listed.kid, more], [kid, []])
    assert.deepEqual(Object.keys((await store.keys.startSigning()).jwks), ['keys'])
    assert.equal((await store.keys.activeSigner()).kid, keys[0]?.kid)
    assert.equal((await store.keys.revoke(kid)).is, 'unchanged')
  })

  test('revoking a retired key creates no new one', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const { kid } = await store.keys.activeSigner()
    await store.keys.rotate()
    await store.keys.revoke(kid)
    assert.equal((await store.keys.publicKeys()).keys.length, 1)
    assert.equal((await store.keys.list()).length, 2)
    assert.equal((await readdir(join(store.folder, 'keys'))).length, 2)
  })

  test('the only active key cannot be retired without a replacement', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const { kid } = await store.keys.activeSigner()
    assert.deepEqual(await store.keys.retire(kid), { is: 'refused', why: 'only_active_key' })
    assert.equal((await store.keys.retire(kid, { replace: true })).is, 'done')
    assert.equal((await store.keys.retire(kid)).is, 'unchanged')
    await store.keys.revoke(kid)
    assert.deepEqual(await store.keys.retire(kid), { is: 'refused', why: 'revoked' })
    assert.deepEqual(await store.keys.retire('x'), { is: 'refused', why: 'no_such_key' })
    assert.deepEqual(await store.keys.revoke('x'), { is: 'refused', why: 'no_such_key' })
  })

  test('concurrent rotations leave one active key and no unused key file', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    await Promise.all([store.keys.rotate(), store.inOtherProcess().rotate(), store.keys.rotate()])
    const rows = await store.keys.list()
    assert.equal(rows.filter((row) => row.state === 'active').length, 1)
    assert.deepEqual(
      (await readdir(join(store.folder, 'keys'))).toSorted(),
      rows.map((row) => row.reference).toSorted(),
    )
  })

  test('the database rejects a second active key', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const [row] = await store.keys.list()
    assert.ok(row)
    const second = { ...row, kid: 'k2', x: 'x2' }
    await assert.rejects(store.db.insertInto('signing_keys').values(second).execute(), /unique/i)
  })

  test('a key rotated by another process is published', async () => {
    await using store = await openKeyStore(database)
    await store.keys.ensureFirstKey()
    const before = (await store.keys.published()).etag
    await store.inOtherProcess().rotate()
    await until(async () => (await store.keys.published()).etag !== before)
    assert.equal((await store.keys.publicKeys()).keys.length, 2)
  })
})

async function openKeyStore(database: EachDatabase) {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-signing-'))
  const clock = { time: Date.parse('2026-03-01T12:00:00.250Z'), now: () => clock.time }
  const store = await database.create()
  const [db, otherDb] = [await store.open(), await store.open()]
  const keysOf = (base: typeof db) =>
    signingKeys({ db: base, clock, providers: [fileKeys({ directory: join(folder, 'keys') })] })
  return {
    folder,
    clock,
    db,
    keys: keysOf(db),
    inOtherProcess: () => keysOf(otherDb),
    async storeKit(kid: string, issuedAt: string, name = '1') {
      const job = newJob(
        { clock, identifiers: randomIdentifiers() },
        { tenant_id: 't', scope_label: 's', status: 'SUBMITTED', workspace_id: null },
        null,
      )
      await db.insertInto('submissions').values(job).execute()
      const kit = {
        kit_id: `kit_${name}` as KitId,
        job_id: job.job_id,
        issued_at: issuedAt,
        public_key_kid: kid,
      }
      const rest = {
        receipt_version: 'v',
        manifest_sha256: '',
        downloads: '{}',
        receipt: '{}',
        entries: '[]',
        zip_sha256: null,
      }
      await db
        .insertInto('kits')
        .values({ ...kit, ...rest })
        .execute()
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
