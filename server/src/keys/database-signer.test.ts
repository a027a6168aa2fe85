import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { databaseKeys, isUnencrypted } from './database-signer.ts'
import { describeKeyProvider } from './key-provider-contract.ts'
import { KeyUnusable } from './signer.ts'
import { signingKeys } from './signing-keys.ts'

onEachDatabase((database) => {
  describeKeyProvider('database', async () => {
    const { db, store } = await openPlace(database)
    return {
      provider: databaseKeys({ db }),
      again: () => databaseKeys({ db }),
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  })

  test('with a passphrase no private key can be read from the database, and one that could is sealed', async () => {
    const { db, store } = await openPlace(database)
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

  test('of a key that was not used no private half stays, and of one that was it does', async () => {
    const { db, store } = await openPlace(database)
    await using _ = store
    // Two that write to one file from one thread would wait for each other for ever.
    const other = database.name === 'SQLite' ? db : await store.open()
    const over = (base: typeof db) =>
      signingKeys({ db: base, clock: { now: () => Date.now() }, providers: [databaseKeys({ db: base })] })
    const made = await Promise.all([db, other, db, other].map((each) => over(each).ensureFirstKey()))
    assert.equal(made.filter(Boolean).length, 1)
    await Promise.all([db, other, db].map((each) => over(each).rotate()))
    const rows = await over(db).list()
    const references = (await db.selectFrom('private_keys').select('reference').execute()).map(
      ({ reference }) => reference,
    )
    assert.deepEqual(references.toSorted(), rows.map((row) => row.reference).toSorted())
    assert.equal(rows.length, 4)
  })
})

async function openPlace(database: EachDatabase) {
  const store = await database.place()
  return { store, db: await store.open() }
}
