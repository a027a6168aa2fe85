import { chmodSync, closeSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '@kitseal/kit/node'
import { removeOnInterrupt } from './interruption.ts'
import { describeError, InputError } from './input-error.ts'
import { readTrustStore, TRUST_VERSION, type TrustStore } from './trust-store.ts'

/** Changes the store under a lock and replaces it atomically. */
export async function changeTrustStore(
  path: string,
  change: (store: TrustStore) => TrustStore,
): Promise<void> {
  await createFolder(path)
  using _ = await lock(path)
  const changed = change(readTrustStore(path))
  const target = resolveLinks(path)
  const temporary = `${target}.${process.pid}.new`
  try {
    writeFileSync(temporary, storeText(changed), { mode: 0o600, flush: true })
    chmodSync(temporary, 0o600)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new InputError(`cannot write the trust store ${path}: ${describeError(error)}`)
  }
}

function storeText({ pins, logs }: TrustStore): string {
  const store = {
    trust_version: TRUST_VERSION,
    pins: pins.map(({ kid, issuer, createdAt, key }) => ({ kid, issuer, created_at: createdAt, key })),
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

/** If the store is a symbolic link, its target is changed, not the link. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
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
