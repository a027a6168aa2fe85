import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  utf8,
  type TrustedKeySet,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { configFolder } from './settings-file.ts'
import { describeError, InputError } from './input-error.ts'
import { readKeySet } from './read-documents.ts'
import type { Terminal } from './terminal.ts'

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

/** The log of one issuer, and what the reader asks of it. */
export interface StoredLog {
  readonly issuer: string
  readonly vkey: string
  readonly createdAt: string
  /** The text of a tlog-policy that names this log. Its witnesses and quorum count. */
  readonly policy?: string | undefined
  /** Certificates of time-stamp authorities, as PEM. */
  readonly tsaRoots?: string | undefined
  readonly maxDelaySeconds?: number | undefined
}

export const TRUST_VERSION = 2
const EMPTY: TrustStore = { pins: [], logs: [] }

export function trustStorePath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['KITSEAL_TRUST_STORE']
  if (named !== undefined && named !== '') return named
  return join(configFolder(env), 'kitseal', 'trust.json')
}

/** A missing store is empty; an unreadable one is an error. */
export function readTrustStore(path: string): TrustStore {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return EMPTY
    throw new InputError(`cannot read the trust store ${path}: ${describeError(error)}`)
  }
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
  const {
    issuer,
    vkey,
    created_at: createdAt,
    policy,
    tsa_roots: tsaRoots,
    max_delay_seconds: maxDelay,
  } = value
  if (typeof issuer !== 'string' || typeof vkey !== 'string' || typeof createdAt !== 'string')
    return undefined
  if (policy !== undefined && typeof policy !== 'string') return undefined
  if (tsaRoots !== undefined && typeof tsaRoots !== 'string') return undefined
  if (maxDelay !== undefined && typeof maxDelay !== 'number') return undefined
  const log = { issuer, vkey, createdAt, policy, tsaRoots, maxDelaySeconds: maxDelay }
  // Throws if the key, the policy or the certificates are malformed.
  pinnedLog(log)
  return log
}

/** A pinned log for verification: its key, and what was pinned with it. */
export function pinnedLog({ issuer, vkey, policy: text, tsaRoots, maxDelaySeconds }: StoredLog): PinnedLog {
  const policy = text === undefined ? undefined : parsePolicy(utf8(text), nodeHost.digest)
  const key = parseVkey(vkey, nodeHost.digest)
  return {
    issuer,
    policy: { logs: [{ key }], witnesses: policy?.witnesses ?? [], quorum: policy?.quorum },
    time: {
      roots: tsaRoots === undefined ? undefined : parseCertificates(utf8(tsaRoots)),
      maxDelaySeconds,
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
