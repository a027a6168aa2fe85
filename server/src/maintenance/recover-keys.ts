import type { LogLeaf } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import { findActiveKey, setCompromisedSince, setRetired, setRevoked } from '../keys/signing-key-queries.ts'
import { recordRevocation } from '../access/record-revocation.ts'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'

export interface RecoveredKeys {
  /** Retired or revoked now, because the log says so. */
  readonly ended_keys: readonly string[]
  /** In the log, but not in this database. */
  readonly unknown_keys: readonly string[]
  readonly isAnyActive: boolean
}

/** A key that was retired or revoked according to the log must not sign again. */
export async function applyKeyEvents(trx: Db, leaves: readonly LogLeaf[]): Promise<RecoveredKeys> {
  const ended = new Set<string>()
  const unknown = new Set<string>()
  for (const leaf of leaves) {
    if (leaf.kind !== 'key') continue
    const { kid, event, at, since } = leaf
    const key = await trx
      .selectFrom('signing_keys')
      .select(['kid', 'created_at', 'state'])
      .where('kid', '=', kid)
      .forUpdate()
      .executeTakeFirst()
    if (key === undefined) unknown.add(kid)
    else if (event === 'retired' && key.state === 'active') {
      await setRetired(trx, key, at)
      ended.add(kid)
    } else if ((event === 'revoked' || event === 'compromised') && key.state !== 'revoked') {
      await setRevoked(trx, kid, at, since)
      await recordRevocation(trx, { kid, revokedAt: at, since })
      ended.add(kid)
    } else if (event === 'compromised' && since !== undefined) await setCompromisedSince(trx, kid, since)
  }
  const active = await findActiveKey(trx)
  return { ended_keys: [...ended], unknown_keys: [...unknown], isAnyActive: active !== undefined }
}

/** Private key files by name. */
export async function readKeyFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = new Map<string, string>()
  for (const name of names.filter((each) => each.endsWith('.key')).toSorted())
    files.set(name, await readFile(join(folder, name), 'utf8'))
  return files
}

export async function writeKeyFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  if (files.size === 0) return
  await makeFolder(folder)
  await chmod(folder, 0o700)
  for (const [name, text] of files) {
    await writeFile(join(folder, name), text, { mode: 0o600, flush: true })
    await chmod(join(folder, name), 0o600)
  }
  await syncFolder(folder)
}
