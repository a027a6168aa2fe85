import crypto from 'node:crypto'
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'

/** What a thread has done so far. */
export interface Counts {
  statements: number
  commits: number
  /** Of files; each commit of SQLite is one more. */
  syncs: number
  hashedBytes: number
  /** To files by other threads, in whole blocks. What the thread writes itself is counted by the system. */
  writtenBytes: number
}

export const counters: Counts = { statements: 0, commits: 0, syncs: 0, hashedBytes: 0, writtenBytes: 0 }

const BLOCK = 4096
const OTHER = /^(begin|commit|rollback|pragma)/

type Method = (...args: unknown[]) => unknown

/** Replaces the methods that do the work by ones that count it. */
export async function countEverything(): Promise<void> {
  countHashes()
  await countFiles()
  countSqlite()
  countPostgres()
}

let inTransaction = false

/** `begin` and `commit` are not counted as statements. Returns whether a change would be a commit of its own. */
function countStatement(source: string): boolean {
  const text = source.trimStart()
  const isStatement = !OTHER.test(text)
  if (isStatement) counters.statements += 1
  else inTransaction = text.startsWith('begin')
  return text === 'commit' || (isStatement && !inTransaction && !text.startsWith('select'))
}

function countSqlite(): void {
  const memory = new BetterSqlite3(':memory:')
  const statements = Object.getPrototypeOf(memory.prepare('select 1')) as object
  wrap(statements, 'get', NOTHING, (result, { source }) =>
    countSqliteStatement(String(source), result !== undefined),
  )
  wrap(statements, 'all', NOTHING, (result, { source }) =>
    countSqliteStatement(String(source), (result as object[]).length > 0),
  )
  wrap(statements, 'run', NOTHING, (result, { source }) =>
    countSqliteStatement(String(source), (result as BetterSqlite3.RunResult).changes > 0),
  )
  memory.close()
}

function countSqliteStatement(source: string, changed: boolean): void {
  if (!countStatement(source) || (!changed && source !== 'commit')) return
  counters.commits += 1
  counters.syncs += 1
}

function countPostgres(): void {
  wrap(
    pg.Client.prototype,
    'query',
    (first) => {
      lastText = typeof first === 'string' ? first : (first as { readonly text: string }).text
    },
    (result) => {
      const text = lastText
      if (!countStatement(text)) return
      void (result as Promise<pg.QueryResult>).then(
        ({ rowCount }) => {
          if (text === 'commit' || (rowCount ?? 0) > 0) counters.commits += 1
        },
        () => {},
      )
    },
  )
}

let lastText = ''

function countHashes(): void {
  const { Hash } = crypto as unknown as { readonly Hash: { readonly prototype: object } }
  wrap(Hash.prototype, 'update', (data) => void (counters.hashedBytes += (data as Uint8Array).length))
  wrap(crypto, 'hash', (_algorithm, data) => void (counters.hashedBytes += (data as Uint8Array).length))
  syncBuiltinESMExports()
}

const sync = (): void => void (counters.syncs += 1)

async function countFiles(): Promise<void> {
  await using file = await open('/dev/null')
  const handles = Object.getPrototypeOf(file) as object
  for (const name of ['sync', 'datasync']) wrap(handles, name, sync)
  for (const name of ['fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync']) wrap(fs, name, sync)
  wrap(handles, 'write', (data, _offset, length) => {
    const bytes = typeof length === 'number' ? length : (data as Uint8Array).length
    counters.writtenBytes += Math.ceil(bytes / BLOCK) * BLOCK
  })
  syncBuiltinESMExports()
}

const NOTHING = (): void => {}

type Before = (...args: unknown[]) => void
type After = (result: unknown, self: Readonly<Record<string, unknown>>) => void

function wrap(owner: object, name: string, before: Before, after: After = NOTHING): void {
  const methods = owner as Record<string, Method>
  const method = methods[name]
  if (method === undefined) throw new Error(`there is no ${name} to count`)
  methods[name] = function (this: Readonly<Record<string, unknown>>, ...args) {
    before(...args)
    const result = method.apply(this, args)
    after(result, this)
    return result
  }
}
