import { hkdfSync, randomBytes } from 'node:crypto'
import { deriveKey, deriveKeyNow, NONCE_BYTES, openBytes, sealBytes } from './key-file-format.ts'
import type { Db } from '../database/schema.ts'
import type { Stored, Table } from '../database/table.ts'

/** Encrypts texts of the database that the service must read again: secrets of webhooks, and queued mail with its links. */
export type SecretsAtRest = ReturnType<typeof secretsAtRest>

const isSealed = (stored: string): boolean => stored.startsWith(PREFIX)

const PREFIX = 'sealed1.'
/** scrypt, as for signing keys: derived faster, these texts would be the quick way to guess the passphrase. */
const SALT = Buffer.from('kitseal secrets at rest')

class Key {
  readonly #passphrase: string
  #derived: Uint8Array | undefined

  constructor(passphrase: string) {
    this.#passphrase = passphrase
  }

  get bytes(): Uint8Array {
    return (this.#derived ??= expanded(deriveKeyNow(this.#passphrase, SALT)))
  }

  async derive(): Promise<void> {
    this.#derived ??= expanded(await deriveKey(this.#passphrase, SALT))
  }
}

const expanded = (secret: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, SALT, PREFIX, 32))

export function secretsAtRest(passphrase: string | undefined, previous?: string) {
  const keys = [passphrase, previous].flatMap((text) => (text === undefined ? [] : [new Key(text)]))
  const [key] = keys
  return {
    isOn: passphrase !== undefined,
    /** Whether `open` also reads what was encrypted with a previous passphrase. */
    hasPrevious: previous !== undefined,
    /** Deriving a key takes half a second: this does it aside, before the first text needs it. */
    ready: async (): Promise<void> => {
      for (const each of keys) await each.derive()
    },
    /** `row` names the row that holds the text, so that it cannot be moved to another. Without a passphrase, the text as it is. */
    seal: (text: string, row: string): string => {
      if (passphrase === undefined || key === undefined) return text
      const nonce = randomBytes(NONCE_BYTES)
      const sealed = sealBytes(key.bytes, nonce, Buffer.from(text), Buffer.from(row))
      return PREFIX + Buffer.concat([nonce, sealed]).toString('base64url')
    },
    /** Undefined if it was encrypted with another passphrase, or for another row. A text that is not encrypted stays as it is. */
    open: (stored: string, row: string): string | undefined => {
      if (!isSealed(stored)) return stored
      const bytes = Buffer.from(stored.slice(PREFIX.length), 'base64url')
      for (const each of keys) {
        const text = decrypted(each.bytes, bytes, row)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

const decrypted = (key: Uint8Array, bytes: Buffer, row: string): string | undefined =>
  bytes.length < NONCE_BYTES
    ? undefined
    : openBytes(
        key,
        bytes.subarray(0, NONCE_BYTES),
        bytes.subarray(NONCE_BYTES),
        Buffer.from(row),
      )?.toString()

/** Encrypts what was stored before there was a passphrase, or with the previous one. Runs at each start; a row that changes meanwhile is left to the next. */
export async function sealStored(db: Db, secrets: SecretsAtRest, tables: readonly Table[]): Promise<void> {
  if (!secrets.isOn) return
  /** What cannot be opened stays as it is. */
  const seal = (stored: string, row: string): string => {
    if (isSealed(stored) && !secrets.hasPrevious) return stored
    const text = secrets.open(stored, row)
    return text === undefined ? stored : secrets.seal(text, row)
  }
  const anyTables = db.$pickTables<never>().$extendTables<Record<string, Record<string, Stored>>>()
  for (const table of tables)
    for (const column of table.named('sealed')) {
      const rows = await anyTables.selectFrom(table.name).selectAll().where(column, 'is not', null).execute()
      for (const row of rows) {
        const stored = String(row[column])
        const sealed = seal(stored, table.place(table.keyOf(row), column))
        if (sealed !== stored)
          await anyTables
            .updateTable(table.name)
            .set({ [column]: sealed })
            .where(table.id, '=', row[table.id] ?? null)
            .where(column, '=', stored)
            .execute()
      }
    }
}
