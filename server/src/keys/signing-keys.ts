import { countOf } from '../database/questions.ts'
import type { PublishedJwks } from '@kitseal/kit/internal'
import { timestamp, type Clock } from '../runtime/clock.ts'
import { takeLock } from '../database/dialect.ts'
import { appendKeyEvent } from '../database/append-leaf.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { etagOf } from '../http/send-document.ts'
import {
  publishedKeys,
  revokedKeys,
  allSigningKeys,
  findActiveKey,
  findSigningKey,
  insertActiveKey,
  setCompromisedSince,
  retireKey,
  revokeKey,
  type SigningKeyRow,
} from './signing-key-queries.ts'
import { KeyUnusable, type CreatedKey, type KeyProvider, openKey, type Signer } from './signer.ts'

/** The clocks of nodes may differ by a little. */
const MAX_AHEAD_MS = 5000

/** A kit would be issued before its job or key was created, or at a time that is not now. The job waits. */
export class ImplausibleTime extends Error {
  override readonly name = 'ImplausibleTime'
}

/** The public key set, as served. */
export interface PublishedKeySet {
  readonly jwks: PublishedJwks
  readonly body: string
  readonly etag: string
}

export type KeyChange =
  | { readonly is: 'done'; readonly active: SigningKeyRow; readonly ended: SigningKeyRow | undefined }
  | { readonly is: 'unchanged'; readonly key: SigningKeyRow }
  | { readonly is: 'refused'; readonly why: 'no_such_key' | 'only_active_key' | 'revoked' | 'not_earlier' }

export interface SigningKeysOptions {
  readonly db: Db
  /** The first creates new keys; each opens its own. */
  readonly providers: readonly [KeyProvider, ...KeyProvider[]]
  readonly clock: Clock
  /** Called in the transaction that revokes a key. */
  readonly onRevoked?: (trx: Db, key: Revocation) => Promise<void>
}

export interface Revocation {
  readonly kid: string
  readonly revokedAt: string
  /** Since when the key is compromised, if it is. */
  readonly since?: string | undefined
}

/** How long a change by another process may go unnoticed. */
const CACHE_MS = 500

interface Snapshot extends PublishedKeySet {
  readonly rows: readonly SigningKeyRow[]
}

export type SigningKeys = ReturnType<typeof signingKeys>

export function signingKeys(options: SigningKeysOptions) {
  const { db, providers, clock } = options
  let snapshot: Promise<Snapshot> | undefined
  let staleAt = 0
  let opened: { readonly kid: string; readonly signer: Promise<Signer> } | undefined

  /** Cached for half a second, by the monotonic clock. */
  function current(): Promise<Snapshot> {
    const now = performance.now()
    if (snapshot === undefined || now >= staleAt) {
      staleAt = now + CACHE_MS
      snapshot = readSnapshot(db).catch((error: unknown) => {
        snapshot = undefined
        throw error
      })
    }
    return snapshot
  }

  async function openActive() {
    const { rows, jwks } = await current()
    const active = rows.find((row) => row.state === 'active')
    if (active === undefined)
      throw new KeyUnusable('no signing key is active; run "kitseal admin signing-key rotate"')
    if (opened?.kid !== active.kid) {
      const instead = '; configure it, or run "kitseal admin signing-key rotate"'
      const signer = openKey(providers, active, `signing key ${active.kid}`, instead)
      opened = { kid: active.kid, signer }
      signer.catch(() => (opened = undefined))
    }
    return { signer: await opened.signer, jwks: { keys: jwks.keys }, createdAt: active.created_at }
  }

  /** A signer, and a time within its validity, for one receipt. `jwks` is for the copy in the kit, which does not list revoked keys. */
  async function startSigning(notBefore = '') {
    const { signer, jwks, createdAt } = await openActive()
    await clock.sync?.()
    const nowMs = clock.now()
    const [issuedAt = ''] = [timestamp(nowMs), createdAt, notBefore].toSorted().toReversed()
    if (Date.parse(issuedAt) - nowMs > MAX_AHEAD_MS)
      throw new ImplausibleTime(
        `the key or the job was created at ${issuedAt}, but it is ${timestamp(nowMs)}: check the clocks`,
      )
    return { signer, jwks, issuedAt }
  }

  /**
   * One change at a time, on all nodes. A key that may be needed is created first, so that every key in the table can sign, and
   * destroyed if it was not.
   */
  async function change(
    isReplacing: boolean,
    work: (trx: Db, key: CreatedKey | undefined) => Promise<KeyChange>,
  ): Promise<KeyChange> {
    const [provider] = providers
    const key = isReplacing ? await provider.create() : undefined
    let isUnused = true
    try {
      const outcome = await transact(db, async (trx) => {
        await takeLock(trx, 'signingKeys')
        return work(trx, key)
      })
      isUnused = outcome.is !== 'done' || outcome.active.kid !== key?.kid
      return outcome
    } catch (error) {
      // It is unknown whether the change was committed. An unused key is better than a lost one.
      isUnused = !isUnavailable(error)
      throw error
    } finally {
      snapshot = undefined
      if (key !== undefined && isUnused) await provider.destroy(key.reference)
    }
  }

  /** What a change did. If it left no key active, `key` is from now on. */
  async function done(trx: Db, key: CreatedKey | undefined, ended?: string): Promise<KeyChange> {
    if (key !== undefined && (await findActiveKey(trx)) === undefined)
      await insertActiveKey(trx, key, providers[0].name, clock.now())
    const active = await findActiveKey(trx)
    if (active === undefined) throw new Error('no signing key is active')
    return { is: 'done', active, ended: ended === undefined ? undefined : await mustFind(trx, ended) }
  }

  /** Retires the active key: `kid`, if another is not active by now. */
  const replaceActive = (kid?: string): Promise<KeyChange> =>
    change(true, async (trx, key) => {
      const active = await findActiveKey(trx)
      if (kid !== undefined && active?.kid !== kid) return { is: 'unchanged', key: await mustFind(trx, kid) }
      if (active !== undefined) await retireKey(trx, active, clock.now())
      return done(trx, key, active?.kid)
    })

  const revokeRow = ({ kid, state }: SigningKeyRow, since?: string): Promise<KeyChange> =>
    change(state === 'active', async (trx, key) => {
      const revokedAt = timestamp(clock.now())
      if (!(await revokeKey(trx, kid, revokedAt, since)))
        return { is: 'unchanged', key: await mustFind(trx, kid) }
      await options.onRevoked?.(trx, { kid, revokedAt, since })
      return done(trx, key, kid)
    })

  return {
    publicKeys: async (): Promise<PublishedJwks> => (await current()).jwks,
    published: current,
    /** Throws `KeyUnusable` if the private key cannot be used. */
    activeSigner: async (): Promise<Signer> => (await openActive()).signer,
    /** @param notBefore the time of issue is not before this. Throws `ImplausibleTime` if that is in the future. */
    startSigning,
    list: (): Promise<readonly SigningKeyRow[]> => allSigningKeys(db),
    /** Number of kits signed with this key. */
    signedKits: (kid: string): Promise<number> =>
      countOf(db.selectFrom('kits').where('public_key_kid', '=', kid)),

    /** Creates a key if none is active; returns whether it did. */
    async ensureFirstKey(): Promise<boolean> {
      if ((await findActiveKey(db)) !== undefined) return false
      const outcome = await change(true, async (trx, key) => {
        const active = await findActiveKey(trx)
        return active === undefined ? done(trx, key) : { is: 'unchanged', key: active }
      })
      return outcome.is === 'done'
    },

    rotate: (): Promise<KeyChange> => replaceActive(),

    /** Rejected for the active key, unless `replace` is set. */
    async retire(kid: string, { replace = false }: { readonly replace?: boolean } = {}): Promise<KeyChange> {
      const row = await findSigningKey(db, kid)
      if (row === undefined) return { is: 'refused', why: 'no_such_key' }
      if (row.state === 'retired') return { is: 'unchanged', key: row }
      if (row.state === 'revoked') return { is: 'refused', why: 'revoked' }
      if (!replace) return { is: 'refused', why: 'only_active_key' }
      return replaceActive(kid)
    },

    /** Removes a key from the key set. An active key is replaced by a new one. */
    async revoke(kid: string): Promise<KeyChange> {
      const row = await findSigningKey(db, kid)
      if (row === undefined) return { is: 'refused', why: 'no_such_key' }
      return row.state === 'revoked' ? { is: 'unchanged', key: row } : revokeRow(row)
    },

    /**
     * Revokes a key that may be in other hands since a time. Kits that are shown to be older stay valid for readers. For a key that
     * is compromised already, states an earlier time.
     */
    async compromise(kid: string, since: string): Promise<KeyChange> {
      const row = await findSigningKey(db, kid)
      if (row === undefined) return { is: 'refused', why: 'no_such_key' }
      if (row.state !== 'revoked') return revokeRow(row, since)
      if (row.compromised_since === null) return { is: 'refused', why: 'revoked' }
      if (row.compromised_since === since) return { is: 'unchanged', key: row }
      return change(false, async (trx, key) => {
        if (!(await setCompromisedSince(trx, kid, since))) return { is: 'refused', why: 'not_earlier' }
        await appendKeyEvent(trx, kid, 'compromised', timestamp(clock.now()), since)
        return done(trx, key, kid)
      })
    },
  }
}

async function readSnapshot(db: Db): Promise<Snapshot> {
  const rows = await allSigningKeys(db)
  const jwks = { ...publishedKeys(rows), revoked_keys: revokedKeys(rows) }
  const body = JSON.stringify(jwks)
  return { rows, jwks, body, etag: etagOf(body) }
}

async function mustFind(db: Db, kid: string): Promise<SigningKeyRow> {
  const row = await findSigningKey(db, kid)
  if (row === undefined) throw new Error(`signing key ${kid} was not stored`)
  return row
}
