import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/internal/node'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { syncFolder } from '@kitseal/kit/internal/node'
import type { ObjectStore } from '../objects/object-store.ts'
import { type Progress, shareUpTo } from './progress.ts'
import { referencedAfter, referencedWith } from './referenced-objects.ts'
import { type Row, rowsOf } from './records.ts'
import type { Table } from './tables.ts'

/** Records and objects to copy, from a snapshot of a store or from a backup. */
export interface RecordSource {
  rows(table: Table): AsyncIterable<readonly Row[]>
  objectNames(): AsyncIterable<string>
  readonly objects: Pick<ObjectStore, 'read' | 'isRemote'>
  /** Objects that are known to be missing. */
  readonly lacks: ReadonlySet<string>
  /** For progress. */
  readonly totals: {
    objects(last: string): Pick<Progress, 'total' | 'share'>
    readonly rows: Pick<Progress, 'total'>
  }
  /** Private key files by name. */
  readonly keyFiles: ReadonlyMap<string, string>
  /** Completes the target. It is not done again after the commit. */
  readonly beforeCommit?: () => Promise<void>
  /** Why the log of the target is frozen. */
  readonly frozenReason: string
}

export function storeSource(
  db: Kysely<Database>,
  objects: ObjectStore,
  keyFiles: ReadonlyMap<string, string>,
): RecordSource {
  return {
    rows: (table) => rowsOf(db, table),
    objectNames: () => objectNamesIn(db),
    objects,
    lacks: new Set(),
    totals: { objects: (last) => ({ share: shareUpTo(last) }), rows: {} },
    keyFiles,
    frozenReason: 'the service was moved',
  }
}

export async function* objectNamesIn(db: Kysely<Database>): AsyncGenerator<string> {
  for await (const names of groupsOfNames(db)) yield* names
}

const GROUPS = 256

/** All referenced objects in name order, by the first two digits. */
export async function* groupsOfNames(db: Kysely<Database>): AsyncGenerator<readonly string[]> {
  for (let group = 0; group < GROUPS; group += 1)
    yield await referencedWith(db, group.toString(16).padStart(2, '0'))
}

/** The referenced objects in name order, read in pages. */
export async function* namesAfter(db: Kysely<Database>, after: string, page: number): AsyncGenerator<string> {
  for (let at = after; ;) {
    const names = await referencedAfter(db, at, page)
    yield* names
    at = names.at(-1) ?? at
    if (names.length < page) return
  }
}

export async function readKeyFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
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
