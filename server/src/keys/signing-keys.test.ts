import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseJwks, wasKeyActive } from '@kitseal/kit'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { until } from '../../test/until.ts'
import type { JobId, KitId } from '../identifiers.ts'
import { fileKeys } from './file-signer.ts'
import { keyMaySign } from './key-validity.ts'
import { signingKeys } from './signing-keys.ts'

onEachDatabase((database) => {
  test('the first start makes one key, however many start at once', async () => {
    await using place = await openPlace(database)
    const made = await Promise.all([
      place.keys.ensureFirstKey(),
      place.elsewhere().ensureFirstKey(),
      place.keys.ensureFirstKey(),
    ])
    assert.equal(made.filter(Boolean).length, 1)
    assert.equal((await place.keys.publicKeys()).keys.length, 1)
    assert.equal((await readdir(join(place.folder, 'keys'))).length, 1)
    assert.equal(await place.keys.ensureFirstKey(), false)
  })

  test('the key set holds public members alone, and every verifier reads it', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    await place.keys.rotate()
    const { body } = await place.keys.published()
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

  test('a rotation retires the old key and activates a new one; what the old one signed stays in its life', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    place.clock.time += 5_999
    const before = await place.keys.startSigning()
    await place.keys.rotate()
    const after = await place.keys.startSigning()
    assert.notEqual(after.signer.kid, before.signer.kid)
    const { keys } = await place.keys.publicKeys()
    const life = (kid: string) =>
      keys.find((key) => key.kid === kid) ?? assert.fail('the key is not in the set')
    assert.equal(wasKeyActive(life(before.signer.kid), before.issuedAt), true)
    assert.equal(wasKeyActive(life(after.signer.kid), after.issuedAt), true)
    place.clock.time += 1001
    assert.equal(wasKeyActive(life(before.signer.kid), new Date(place.clock.time).toISOString()), false)
  })

  test('a clock that is set back behind the birth of the key does not take the receipt out of its life', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    place.clock.time -= 3_600_000
    const turn = await place.keys.startSigning()
    assert.equal(turn.jwks.keys.length, 1)
    assert.equal(
      turn.jwks.keys.every((key) => wasKeyActive(key, turn.issuedAt)),
      true,
    )
  })

  test('a key that is retired on a clock that was set back still covers what it signed', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    place.clock.time += 60_000
    const { signer, issuedAt } = await place.keys.startSigning()
    await place.storeKit(signer.kid, issuedAt)
    place.clock.time -= 30_000
    await place.keys.rotate()
    const { keys } = await place.keys.publicKeys()
    const old = keys.find((key) => key.kid === signer.kid) ?? assert.fail('the key is not in the set')
    assert.equal(wasKeyActive(old, issuedAt), true)
  })

  test('a kit is issued only where its key may have signed it at its time', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    const { signer, issuedAt } = await place.keys.startSigning()
    const later = new Date(place.clock.time + 60_000).toISOString()
    const earlier = new Date(place.clock.time - 60_000).toISOString()
    assert.equal(await keyMaySign(place.db, signer.kid, issuedAt), true)
    assert.equal(await keyMaySign(place.db, signer.kid, later), true)
    assert.equal(await keyMaySign(place.db, signer.kid, earlier), false)
    await place.keys.rotate()
    assert.equal(await keyMaySign(place.db, signer.kid, issuedAt), true)
    assert.equal(await keyMaySign(place.db, signer.kid, later), false)
    await place.keys.revoke(signer.kid)
    assert.equal(await keyMaySign(place.db, signer.kid, issuedAt), false)
    assert.equal(await keyMaySign(place.db, 'unknown', issuedAt), false)
  })

  test('the database itself refuses a kit whose key was not alive at its time', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    const { signer, issuedAt } = await place.keys.startSigning()
    const later = new Date(place.clock.time + 60_000).toISOString()
    const earlier = new Date(place.clock.time - 60_000).toISOString()
    const refused = /a kit is signed by a key that is alive at its time/
    await assert.rejects(place.storeKit(signer.kid, earlier, 'early'), refused)
    await place.keys.rotate()
    await assert.rejects(place.storeKit(signer.kid, later, 'late'), refused)
    await place.storeKit(signer.kid, issuedAt, 'in time')
    await place.keys.revoke(signer.kid)
    await assert.rejects(place.storeKit(signer.kid, issuedAt, 'revoked'), refused)
  })

  test('a revoked key leaves the set; where it was the active one, another takes its place at once', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    const { kid } = await place.keys.activeSigner()
    const change = await place.keys.revoke(kid)
    assert.equal(change.is, 'done')
    const { keys } = await place.keys.publicKeys()
    assert.equal(keys.length, 1)
    assert.notEqual(keys[0]?.kid, kid)
    assert.equal((await place.keys.activeSigner()).kid, keys[0]?.kid)
    assert.equal((await place.keys.revoke(kid)).is, 'unchanged')
  })

  test('revoking a retired key makes no new one', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    const { kid } = await place.keys.activeSigner()
    await place.keys.rotate()
    await place.keys.revoke(kid)
    assert.equal((await place.keys.publicKeys()).keys.length, 1)
    assert.equal((await place.keys.list()).length, 2)
    assert.equal((await readdir(join(place.folder, 'keys'))).length, 2)
  })

  test('the only active key is not retired without a replacement', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    const { kid } = await place.keys.activeSigner()
    assert.deepEqual(await place.keys.retire(kid), { is: 'refused', why: 'only_active_key' })
    assert.equal((await place.keys.retire(kid, { replace: true })).is, 'done')
    assert.equal((await place.keys.retire(kid)).is, 'unchanged')
    await place.keys.revoke(kid)
    assert.deepEqual(await place.keys.retire(kid), { is: 'refused', why: 'revoked' })
    assert.deepEqual(await place.keys.retire('x'), { is: 'refused', why: 'no_such_key' })
    assert.deepEqual(await place.keys.revoke('x'), { is: 'refused', why: 'no_such_key' })
  })

  test('rotations at the same time leave one active key and no key file without a row', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    await Promise.all([place.keys.rotate(), place.elsewhere().rotate(), place.keys.rotate()])
    const rows = await place.keys.list()
    assert.equal(rows.filter((row) => row.state === 'active').length, 1)
    assert.deepEqual(
      (await readdir(join(place.folder, 'keys'))).toSorted(),
      rows.map((row) => row.reference).toSorted(),
    )
  })

  test('the database itself refuses a second active key', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    const [row] = await place.keys.list()
    assert.ok(row)
    const second = { ...row, kid: 'k2', x: 'x2' }
    await assert.rejects(place.db.insertInto('signing_keys').values(second).execute(), /unique/i)
  })

  test('a key that another process rotates is published here', async () => {
    await using place = await openPlace(database)
    await place.keys.ensureFirstKey()
    const before = (await place.keys.published()).etag
    await place.elsewhere().rotate()
    await until(async () => (await place.keys.published()).etag !== before)
    assert.equal((await place.keys.publicKeys()).keys.length, 2)
  })
})

async function openPlace(database: EachDatabase) {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-signing-'))
  const clock = { time: Date.parse('2026-03-01T12:00:00.250Z'), now: () => clock.time }
  const store = await database.place()
  const [db, otherDb] = [await store.open(), await store.open()]
  const over = (base: typeof db) =>
    signingKeys({ db: base, clock, providers: [fileKeys({ directory: join(folder, 'keys') })] })
  return {
    folder,
    clock,
    db,
    keys: over(db),
    elsewhere: () => over(otherDb),
    async storeKit(kid: string, issuedAt: string, name = '1') {
      const job = {
        job_id: `job_${name}` as JobId,
        tenant_id: 't',
        scope_label: 's',
        status: 'SUBMITTED' as const,
      }
      const times = {
        created_at: issuedAt,
        updated_at: issuedAt,
        expires_at: null,
        blockers: null,
        workspace_id: null,
      }
      const lease = { attempts: 0, lease_owner: null, lease_until: null, lease_token: 0 }
      await db
        .insertInto('jobs')
        .values({ ...job, ...times, ...lease, kit_id: null, authenticated: 0 })
        .execute()
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
