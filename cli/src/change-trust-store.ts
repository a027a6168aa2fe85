import { chmodSync, closeSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '@kitseal/kit/node'
import { removedByInterruption } from './interruption.ts'
import { reason, UnreadableInput } from './unreadable-input.ts'
import { readTrustStore, type StoredPin, TRUST_VERSION } from './trust-store.ts'

/** Changes the store, one command at a time, and as a whole: a cut write leaves the old one. */
export async function changeTrustStore(
  path: string,
  change: (pins: readonly StoredPin[]) => readonly StoredPin[],
): Promise<void> {
  await folderFor(path)
  using _ = await lock(path)
  const pins = change(readTrustStore(path))
  const stored = pins.map(({ kid, issuer, addedAt, key }) => ({
    kid,
    issuer,
    added_at: addedAt,
    key,
  }))
  const place = behindLinks(path)
  const temporary = `${place}.${process.pid}.new`
  const text = `${JSON.stringify({ trust_version: TRUST_VERSION, pins: stored }, null, 2)}\n`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true })
    chmodSync(temporary, 0o600)
    renameSync(temporary, place)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new UnreadableInput(`the trust store ${path} cannot be written: ${reason(error)}`)
  }
}

/** A store may be a link to where its owner keeps such files: what is there is changed, not the link. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const LOCK_TRIES = 20
const LOCK_WAIT_MS = 100

async function lock(path: string): Promise<Disposable> {
  const name = `${behindLinks(path)}.lock`
  for (let tries = 1; ; tries++) {
    const taken = take(name, path)
    if (taken !== undefined) return taken
    if (tries === LOCK_TRIES)
      throw new UnreadableInput(
        `the trust store ${path} is being changed by another command; if there is none, remove ${name}`,
      )
    await sleep(LOCK_WAIT_MS)
  }
}

/** The lock, until it is disposed; undefined where another process has it. */
function take(name: string, path: string): Disposable | undefined {
  try {
    const made = removedByInterruption(() => {
      closeSync(openSync(name, 'wx', 0o600))
      return name
    })
    return {
      [Symbol.dispose]: () => {
        rmSync(name, { force: true })
        made[Symbol.dispose]()
      },
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return undefined
    throw new UnreadableInput(`the trust store ${path} cannot be written: ${reason(error)}`)
  }
}

async function folderFor(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path))
  } catch (error) {
    const { path: refused = dirname(path) } = error as { readonly path?: string }
    throw new UnreadableInput(`the trust store's folder ${refused} cannot be made: ${reason(error)}`)
  }
}
