import { DatabaseSync } from 'node:sqlite'
import type { TreeHead } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'

/** The largest tree of a log that the witness has cosigned. */
export interface CosignedTree extends TreeHead {
  /** The checkpoint with the signatures of log and witness; undefined if nothing was cosigned yet. */
  readonly note: string | undefined
}

/** A witness database that cannot be used. */
export class WitnessStoreError extends Error {
  override readonly name = 'WitnessStoreError'
}

const VERSION = 1

const SCHEMA = `
  create table witness (
    only_row integer primary key check (only_row = 1), name text not null, public_key blob not null
  ) strict;
  create table logs (origin text primary key, size integer not null, root blob not null, note text) strict;
  create trigger logs_only_grow before update on logs
    when new.origin <> old.origin or new.size < old.size or (new.size = old.size and new.root <> old.root)
    begin select raise(abort, 'a witness never goes back'); end;
  create trigger logs_stay before delete on logs
    begin select raise(abort, 'a witness never forgets a log'); end;
  pragma user_version = ${VERSION};
`

/** Creates the database of a new witness. */
export function createWitnessStore(file: string, name: string, publicKey: Uint8Array): void {
  using db = open(file)
  db.exec(`begin; ${SCHEMA}`)
  db.prepare('insert into witness (only_row, name, public_key) values (1, ?, ?)').run(name, publicKey)
  db.exec('commit')
}

/** What a witness remembers. One process at a time has it open. */
export type WitnessStore = ReturnType<typeof openWitnessStore>

/** Throws WitnessStoreError, also while another process has the database open. */
export function openWitnessStore(file: string) {
  const db = open(file)
  const version = db.prepare('pragma user_version').get()?.['user_version']
  const row = version === VERSION ? db.prepare('select name, public_key from witness').get() : undefined
  if (row === undefined) {
    db.close()
    throw new WitnessStoreError(`${file} is not the database of a witness, or of another version`)
  }
  const add = db.prepare('insert or ignore into logs (origin, size, root) values (?, 0, ?)')
  const last = db.prepare('select size, root, note from logs where origin = ?')
  const replace = db.prepare(
    'update logs set size = ?, root = ?, note = ? where origin = ? and size = ? and root = ?',
  )
  return {
    /** Who the witness is: the name and the public key do not change. */
    name: String(row['name']),
    publicKey: row['public_key'] as Uint8Array,
    /** Makes a log known, with size 0. */
    add: (origin: string): void => void add.run(origin, nodeHost.digest(new Uint8Array(0))),
    last(origin: string): CosignedTree {
      const found = last.get(origin)
      if (found === undefined) throw new Error('the log was not added')
      const { size, root, note } = found
      return { size: Number(size), root: root as Uint8Array, note: note === null ? undefined : String(note) }
    },
    /**
     * Replaces a tree with a newer one, unless another request was faster: then the result is false. The change is on
     * disk when this returns.
     */
    replace(
      origin: string,
      older: TreeHead,
      { size, root, note }: TreeHead & { readonly note: string },
    ): boolean {
      return replace.run(size, root, note, origin, older.size, older.root).changes === 1
    },
    [Symbol.dispose]: () => db[Symbol.dispose](),
  }
}

/** Opens the file for this process alone. Every commit is synced before it returns. */
function open(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma locking_mode = exclusive')
    const mode = db.prepare('pragma journal_mode = wal').get()?.['journal_mode']
    if (mode !== 'wal') throw new WitnessStoreError(`${file} is on a file system without support for WAL`)
    db.exec('pragma synchronous = full; begin exclusive; commit')
    return db
  } catch (error) {
    db.close()
    // SQLITE_BUSY
    if ((error as { errcode?: number }).errcode !== 5) throw error
    throw new WitnessStoreError(`${file} is in use: this witness is already running`)
  }
}
