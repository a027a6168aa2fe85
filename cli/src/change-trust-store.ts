import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PublicJwk } from '@kitseal/kit/internal'
import { makeFolder } from '@kitseal/kit/internal/node'
import { removeOnInterrupt } from './interruption.ts'
import { describeError, InputError } from './input-error.ts'
import { replaceFile, resolveLinks } from './write-file.ts'
import { readTrustStore, type StoredLog, TRUST_VERSION, type TrustStore } from './trust-store.ts'

/** Changes the store under a lock and replaces it atomically. */
export async function changeTrustStore(
  path: string,
  change: (store: TrustStore) => TrustStore,
): Promise<void> {
  await createFolder(path)
  using _ = await lock(path)
  const changed = change(readTrustStore(path))
  try {
    replaceFile(path, storeText(changed), 0o600)
  } catch (error) {
    throw new InputError(`cannot write the trust store ${path}: ${describeError(error)}`)
  }
}

/**
 * Replaces the pins of an issuer: keys that are not among these are no longer pinned. With `log`, pins the log, or changes
 * what is asked of it. Its key never changes. `isFirstUse` says that the user was not asked.
 */
export function pinKeys(
  path: string,
  issuer: string,
  keys: readonly PublicJwk[],
  log: Omit<StoredLog, 'issuer' | 'createdAt'> | undefined,
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
            createdAt,
            ...before,
            issuer,
            vkey: before?.vkey ?? log.vkey,
            policy: log.policy ?? before?.policy,
            tsaRoots: log.tsaRoots ?? before?.tsaRoots,
            maxDelaySeconds: log.maxDelaySeconds ?? before?.maxDelaySeconds,
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
    logs: logs.map(({ issuer, vkey, createdAt, policy, tsaRoots, maxDelaySeconds }) => ({
      issuer,
      vkey,
      created_at: createdAt,
      policy,
      tsa_roots: tsaRoots,
      max_delay_seconds: maxDelaySeconds,
    })),
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

async function createFolder(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path))
  } catch (error) {
    const { path: failed = dirname(path) } = error as { readonly path?: string }
    throw new InputError(`cannot create the folder ${failed} for the trust store: ${describeError(error)}`)
  }
}
