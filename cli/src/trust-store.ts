import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseCertificates,
  parsePin,
  parsePolicy,
  parseStrictJson,
  parseVkey,
  type Pin,
  type PinnedLog,
  type PublicJwk,
  utf8,
  type TrustedKeySet,
} from '@kitseal/kit/internal'
import { makeFolder, nodeHost } from '@kitseal/kit/internal/node'
import { configFolder } from './settings-file.ts'
import { describeError, InputError, orInputError, readIfExists } from './input-error.ts'
import { removeOnInterrupt } from './interruption.ts'
import { readKeySet } from './read-documents.ts'
import type { Terminal } from './terminal.ts'
import { replaceFile, resolveLinks } from './write-file.ts'

/** What the user pinned. */
export interface TrustStore {
  readonly pins: readonly StoredPin[]
  /** At most one per issuer. */
  readonly logs: readonly StoredLog[]
}

/** A key pinned for one issuer. */
export interface StoredPin extends Pin {
  readonly createdAt: string
}

/** The log of one issuer, and what the reader asks of it, as the store has it. */
export interface StoredLog {
  readonly issuer: string
  readonly vkey: string
  readonly created_at: string
  /** The text of a tlog-policy that names this log. Its witnesses and quorum count. */
  readonly policy?: string | undefined
  /** Certificates of time-stamp authorities, as PEM. */
  readonly tsa_roots?: string | undefined
  readonly max_delay_seconds?: number | undefined
}

const TRUST_VERSION = 2
const EMPTY: TrustStore = { pins: [], logs: [] }

export function trustStorePath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['KITSEAL_TRUST_STORE']
  if (named !== undefined && named !== '') return named
  return join(configFolder(env), 'kitseal', 'trust.json')
}

/** A missing store is empty; an unreadable one is an error. */
export function readTrustStore(path: string): TrustStore {
  const bytes = readIfExists(path, `the trust store ${path}`)
  if (bytes === undefined) return EMPTY
  const store = parseStore(bytes)
  if (store === 'newer')
    throw new InputError(`the trust store ${path} was written by a newer version of kitseal. Update kitseal.`)
  if (store === undefined) throw new InputError(`the trust store ${path} is damaged. Fix it or delete it.`)
  return store
}

function parseStore(bytes: Uint8Array): TrustStore | 'newer' | undefined {
  try {
    const store = parseStrictJson(bytes)
    if (!isJsonObject(store)) return undefined
    const { trust_version: version, pins, logs = [] } = store
    if (typeof version === 'number' && version > TRUST_VERSION) return 'newer'
    // Version 1 has no logs.
    if (version !== 1 && version !== TRUST_VERSION) return undefined
    return { pins: members(pins, parseStoredPin), logs: members(logs, parseLog) }
  } catch {
    return undefined
  }
}

function members<T>(value: JsonValue | undefined, parse: (value: JsonObject) => T | undefined): readonly T[] {
  if (!Array.isArray(value)) throw new TypeError('not an array')
  return (value as readonly JsonValue[]).map((each) => {
    const parsed = isJsonObject(each) ? parse(each) : undefined
    if (parsed === undefined) throw new TypeError('not valid')
    return parsed
  })
}

function parseStoredPin(value: JsonObject): StoredPin | undefined {
  const { created_at: createdAt, first_use: firstUse } = value
  const pin = parsePin(value)
  if (pin === undefined || typeof createdAt !== 'string') return undefined
  return { ...pin, createdAt, ...(firstUse === true && { isFirstUse: true }) }
}

function parseLog(value: JsonObject): StoredLog | undefined {
  const is = (type: string, name: string): boolean => typeof value[name] === type
  const isWhole = ['issuer', 'vkey', 'created_at'].every((name) => is('string', name))
  const isRest =
    ['policy', 'tsa_roots'].every((name) => is('undefined', name) || is('string', name)) &&
    (is('undefined', 'max_delay_seconds') || is('number', 'max_delay_seconds'))
  if (!isWhole || !isRest) return undefined
  const log = value as unknown as StoredLog
  // Throws if the key, the policy or the certificates are malformed.
  pinnedLog(log)
  return log
}

/** A pinned log for verification: its key, and what was pinned with it. */
export function pinnedLog({ issuer, vkey, policy: text, ...time }: StoredLog): PinnedLog {
  const policy = text === undefined ? undefined : parsePolicy(utf8(text), nodeHost.digest)
  const key = parseVkey(vkey, nodeHost.digest)
  return {
    issuer,
    policy: { logs: [{ key }], witnesses: policy?.witnesses ?? [], quorum: policy?.quorum },
    time: {
      roots: time.tsa_roots === undefined ? undefined : parseCertificates(utf8(time.tsa_roots)),
      maxDelaySeconds: time.max_delay_seconds,
    },
  }
}

/** The keys that the user trusts. */
export interface TrustedKeys {
  readonly keySets: readonly TrustedKeySet[]
  readonly kids: readonly string[]
  /** Empty if keys were given as options, which replace pins. */
  readonly pins: readonly Pin[]
  readonly logs: readonly PinnedLog[]
}

export async function readTrustedKeys(
  sources: readonly string[],
  kids: readonly string[],
  { env }: Terminal,
): Promise<TrustedKeys> {
  const keySets: TrustedKeySet[] = []
  const { pins, logs } = readTrustStore(trustStorePath(env))
  for (const source of sources) keySets.push({ ...(await readKeySet(source)), pinned: pins })
  const given = sources.length + kids.length > 0
  return { keySets, kids, pins: given ? [] : pins, logs: logs.map(pinnedLog) }
}

/** Changes the store under a lock and replaces it atomically. */
export async function changeTrustStore(
  path: string,
  change: (store: TrustStore) => TrustStore,
): Promise<void> {
  await makeFolder(dirname(path)).catch((error: unknown) => {
    const { path: failed = dirname(path) } = error as { readonly path?: string }
    throw new InputError(`cannot create the folder ${failed} for the trust store: ${describeError(error)}`)
  })
  using _ = await lock(path)
  const changed = change(readTrustStore(path))
  orInputError(`cannot write the trust store ${path}`, () => replaceFile(path, storeText(changed), 0o600))
}

/**
 * Replaces the pins of an issuer: keys that are not among these are no longer pinned. With `log`, pins the log, or changes
 * what is asked of it. Its key never changes. `isFirstUse` says that the user was not asked.
 */
export function pinKeys(
  path: string,
  issuer: string,
  keys: readonly PublicJwk[],
  log: Omit<StoredLog, 'issuer' | 'created_at'> | undefined,
  isFirstUse = false,
): Promise<void> {
  const createdAt = new Date().toISOString()
  return changeTrustStore(path, ({ pins, logs }) => {
    const isOther = (each: { readonly issuer: string }): boolean => each.issuer !== issuer
    const own = new Map(pins.filter((each) => !isOther(each)).map((each) => [each.kid, each]))
    const pinned = keys.map((key) => {
      const before = own.get(key.kid)
      // A key that was pinned at its first use is confirmed when the user agrees to it.
      if (before !== undefined && (isFirstUse || before.isFirstUse !== true)) return { ...before, key }
      return { kid: key.kid, issuer, key, createdAt, ...(isFirstUse && { isFirstUse }) }
    })
    const before = logs.find((each) => !isOther(each))
    const after: StoredLog | undefined =
      log === undefined
        ? before
        : {
            issuer,
            vkey: before?.vkey ?? log.vkey,
            created_at: before?.created_at ?? createdAt,
            policy: log.policy ?? before?.policy,
            tsa_roots: log.tsa_roots ?? before?.tsa_roots,
            max_delay_seconds: log.max_delay_seconds ?? before?.max_delay_seconds,
          }
    return {
      pins: [...pins.filter(isOther), ...pinned],
      logs: [...logs.filter(isOther), ...(after === undefined ? [] : [after])],
    }
  })
}

function storeText({ pins, logs }: TrustStore): string {
  const store = {
    trust_version: TRUST_VERSION,
    pins: pins.map(({ kid, issuer, createdAt, key, isFirstUse }) => ({
      kid,
      issuer,
      created_at: createdAt,
      key,
      first_use: isFirstUse,
    })),
    logs,
  }
  return `${JSON.stringify(store, null, 2)}\n`
}

const LOCK_TRIES = 20
const LOCK_WAIT_MS = 100

async function lock(path: string): Promise<Disposable> {
  const name = `${resolveLinks(path)}.lock`
  for (let tries = 1; ; tries++) {
    const taken = tryLock(name, path)
    if (taken !== undefined) return taken
    if (tries === LOCK_TRIES)
      throw new InputError(
        `another command is changing the trust store ${path}. If none is running, delete ${name}.`,
      )
    await sleep(LOCK_WAIT_MS)
  }
}

/** The lock, held until disposed, or undefined if another process holds it. */
function tryLock(name: string, path: string): Disposable | undefined {
  try {
    const created = removeOnInterrupt(() => {
      closeSync(openSync(name, 'wx', 0o600))
      return name
    })
    return {
      [Symbol.dispose]: () => {
        rmSync(name, { force: true })
        created[Symbol.dispose]()
      },
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return undefined
    throw new InputError(`cannot write the trust store ${path}: ${describeError(error)}`)
  }
}
