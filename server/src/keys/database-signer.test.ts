import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { databaseKeys, isUnencrypted } from './database-signer.ts'
import { describeKeyProvider } from '../../test/key-provider-contract.ts'
import { KeyUnusable } from './signer.ts'
import { signingKeys } from './signing-keys.ts'

onEachDatabase((database) => {
  describeKeyProvider('database', async () => {
    const { db, store } = await openKeyStore(database)
    return {
      provider: databaseKeys({ db }),
      again: () => databaseKeys({ db }),
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  })

  test('a passphrase encrypts all private keys in the database, including existing ones', async () => {
    const { db, store } = await openKeyStore(database)
    await using _ = store
    const keys = (passphrase?: string) =>
      signingKeys({
        db,
        clock: { now: () => Date.now() },
        providers: [databaseKeys(passphrase === undefined ? { db } : { db, passphrase })],
      })
    await keys().ensureFirstKey()
    const content = async () =>
      (await db.selectFrom('private_keys').select('content').executeTakeFirstOrThrow()).content
    assert.match(await content(), /BEGIN PRIVATE KEY/)
    assert.equal(await isUnencrypted(db), true)
    await keys('secret').activeSigner()
    assert.doesNotMatch(await content(), /BEGIN PRIVATE KEY/)
    assert.equal(await isUnencrypted(db), false)
    await assert.rejects(keys('another').activeSigner(), KeyUnusable)
    await assert.rejects(keys().activeSigner(), /set KITSEAL_KEY_PASSPHRASE/)
    await assert.rejects(keys().rotate(), /are encrypted.*set KITSEAL_KEY_PASSPHRASE/)
    assert.equal((await keys('secret').rotate()).is, 'done')
  })

  test('only keys in the key list keep their private key in the database', async () => {
    const { db, store } = await openKeyStore(database)
    await using _ = store
    // Two SQLite writers in one thread would deadlock.
    const other = database.name === 'SQLite' ? db : await store.open()
    const keysOf = (base: typeof db) =>
      signingKeys({ db: base, clock: { now: () => Date.now() }, providers: [databaseKeys({ db: base })] })
    const created = await Promise.all([db, other, db, other].map((each) => keysOf(each).ensureFirstKey()))
    assert.equal(created.filter(Boolean).length, 1)
    await Promise.all([db, other, db].map((each) => keysOf(each).rotate()))
    const rows = await keysOf(db).list()
    const references = (await db.selectFrom('private_keys').select('reference').execute()).map(
      ({ reference }) => reference,
    )
    assert.deepEqual(references.toSorted(), rows.map((row) => row.reference).toSorted())
    assert.equal(rows.length, 4)
  })
})

async function openKeyStore(database: EachDatabase) {
  const store = await database.create()
  return { store, db: await store.open() }
}
