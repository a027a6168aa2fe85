import { countOf } from '../database/questions.ts'
import { existsSync } from 'node:fs'
import { chmod, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import BetterSqlite3 from 'better-sqlite3'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { openRecords, COPY_NAMES, databaseCopy, type OnProgress, TransferRefused } from './database-copy.ts'
import { noteTask } from '../database/task-notes.ts'
import { Nullable } from '../http/schema-parts.ts'
import { readLog } from '../log/log-key.ts'
import type { Db } from '../database/schema.ts'
import { filesystemObjects } from '../objects/filesystem-objects.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjects } from '../objects/open-objects.ts'
import { type Clock, systemClock, timestamp } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import type { Environment } from '../settings/settings.ts'
import { acceptedAmong, acceptedObjects } from '../objects/accepted-objects.ts'
import { copyObjects } from './copy-objects.ts'
import { readKeyFiles, writeKeyFiles } from './recover-keys.ts'
import { scrubObjects } from './scrub-objects.ts'

interface BackupOptions {
  readonly folder: string
  /** Of pg_dump and psql. */
  readonly env?: Environment
  readonly clock?: Clock
  readonly onProgress?: OnProgress
  /** Called when the database is copied, before objects are. */
  readonly onDatabase?: () => Promise<void>
}

/**
 * Copies the database, then the objects that were accepted and that the folder does not have yet, then the keys. The copy
 * of the database takes its name last, so that an interrupted backup leaves the previous one intact. Then copies of what was
 * erased from the service are deleted.
 */
export async function writeBackup(config: Config, options: BackupOptions) {
  const { folder, env = {}, clock = systemClock, onProgress = () => {} } = options
  await makeFolder(folder)
  await checkNotDataFolder(config, folder)
  await chmod(folder, 0o700)
  using _ = await lockBackup(folder)
  await using db = await openRecords(config)
  const createdAt = timestamp(clock.now())
  const log = (await readLog(db))?.kid ?? null
  await checkSameService(folder, log)
  const database = databaseCopy(config, env)
  const draft = join(folder, `.${database.name}`)
  onProgress({ step: 'Copying the database', done: 0 })
  await database.write(draft)
  await options.onDatabase?.()
  const copies = filesystemObjects(join(folder, 'objects'))
  await copies.sweepTemp()
  await using objects = openStored(config)
  const copied = await copyObjects(acceptedObjects(db), objects.store, copies, (progress) =>
    onProgress({ step: 'Copying objects', ...progress }),
  )
  const keys = await readKeyFiles(join(config.dataFolder, 'keys'))
  await writeKeyFiles(join(folder, 'keys'), keys)
  await writeFile(join(folder, ABOUT), `${JSON.stringify({ created_at: createdAt, log })}\n`, OWN_FILE)
  await rename(draft, join(folder, database.name))
  await syncFolder(folder)
  const removed = await removeErased(db, copies)
  // Others were erased while the backup was written.
  const bad = [...(await acceptedAmong(db, copied.bad))]
  await noteTask(db, clock, BACKUP_NOTE, { missing: bad.length } satisfies BackupNote)
  const kits = await countOf(db.selectFrom('kits'))
  const stored = await countOf(db.selectFrom('private_keys'))
  return { createdAt, kits, keys: keys.size + stored, ...copied, bad, removed }
}

/** Deletes copies of earlier backups that the service no longer has. Returns how many. */
async function removeErased(db: Db, copies: ObjectStore): Promise<number> {
  let removed = 0
  for await (const page of inPages(copies.list())) {
    const accepted = await acceptedAmong(db, page)
    for (const object of page)
      if (!accepted.has(object)) await copies.delete(object).then(() => (removed += 1))
  }
  return removed
}

const PAGE = 500

async function* inPages(objects: ReturnType<ObjectStore['list']>): AsyncGenerator<readonly string[]> {
  let page: string[] = []
  for await (const { object } of objects) {
    if (page.push(object) < PAGE) continue
    yield page
    page = []
  }
  yield page
}

/** Where the service finds when the last backup was written. */
export const BACKUP_NOTE = 'backup'

export interface BackupNote {
  /** Objects that the service should have, and that the backup does not have. */
  readonly missing: number
}

/** Restores a backup: objects and keys first, which a second attempt will find, then the database, with its log frozen. */
export async function restoreBackup(
  config: Config,
  { folder, env = {}, onProgress = () => {} }: Pick<BackupOptions, 'folder' | 'env' | 'onProgress'>,
) {
  const { created_at: createdAt } = await readAbout(folder)
  const database = databaseCopy(config, env)
  if (!existsSync(join(folder, database.name))) {
    const other = COPY_NAMES.find((name) => existsSync(join(folder, name)))
    throw new TransferRefused(
      other === undefined
        ? `${folder} does not contain a complete backup.`
        : `${folder} contains ${other}, of the other kind of database. Restore it into that kind, then use "kitseal admin move".`,
    )
  }
  await database.checkEmpty()
  const copies = filesystemObjects(join(folder, 'objects'))
  await using objects = openStored(config)
  const { copied, present } = await copyObjects(copies.list(), copies, objects.store, (progress) =>
    onProgress({ step: 'Copying objects', ...progress }),
  )
  await writeKeyFiles(join(config.dataFolder, 'keys'), await readKeyFiles(join(folder, 'keys')))
  onProgress({ step: 'Loading the database', done: 0 })
  const reason = `the database was restored from a backup of ${createdAt}`
  await database.load(join(folder, database.name), reason)
  await using db = await openRecords(config)
  /** Objects that the backup does not have, or not intact. */
  const lacking: string[] = []
  let checked = 0
  for await (const { object, finding } of scrubObjects({ db, objects: objects.store })) {
    if (finding !== undefined) lacking.push(object)
    onProgress({ step: 'Checking objects', done: (checked += 1) })
  }
  return { createdAt, objects: copied + present, lacking }
}

function openStored(config: Config) {
  const store = openObjects(config.objects)
  return { store, [Symbol.asyncDispose]: () => store.close() }
}

const OWN_FILE = { mode: 0o600, flush: true } as const

/** Of which service the backup is, by the key of its log, and of when. */
const ABOUT = 'backup.json'
const About = Type.Object({ created_at: Type.String(), log: Nullable(Type.String()) })
const isAbout = Compile(About)

async function readAbout(folder: string): Promise<Static<typeof About>> {
  const text = await readFile(join(folder, ABOUT), 'utf8').catch(() => undefined)
  if (text === undefined) throw new TransferRefused(`${folder} does not contain a complete backup.`)
  try {
    const value: unknown = JSON.parse(text)
    if (isAbout.Check(value)) return value
  } catch {
    // Said below.
  }
  throw new TransferRefused(`${join(folder, ABOUT)} is damaged, or of an unsupported version.`)
}

/** The objects of another service would be deleted as erased. */
async function checkSameService(folder: string, log: string | null): Promise<void> {
  if (!existsSync(join(folder, ABOUT)) || (await readAbout(folder)).log === log) return
  throw new TransferRefused(
    `${folder} contains the backup of another service. Choose another folder. Nothing was changed.`,
  )
}

async function checkNotDataFolder({ objects, dataFolder }: Config, folder: string): Promise<void> {
  const [target, copies, data, originals] = await Promise.all([
    resolveLinks(folder),
    resolveLinks(join(folder, 'objects')),
    resolveLinks(dataFolder),
    objects.is === 'folder' ? resolveLinks(objects.path) : undefined,
  ])
  if (target === data || copies === originals)
    throw new TransferRefused(
      `${folder} is the data folder of the service. Choose another folder. Nothing was changed.`,
    )
}

const resolveLinks = (path: string): Promise<string> => realpath(path).catch(() => path)

/** Concurrent backups would delete each other's copies. The lock ends with the process. */
async function lockBackup(folder: string): Promise<Disposable> {
  const file = join(folder, '.lock')
  await writeFile(file, '', { mode: 0o600, flag: 'a' })
  const lock = new BetterSqlite3(file, { timeout: 500 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as NodeJS.ErrnoException).code !== 'SQLITE_BUSY') throw error
    throw new TransferRefused(`Another backup into ${folder} is running. Nothing was changed.`)
  }
  return { [Symbol.dispose]: () => void lock.close() }
}
