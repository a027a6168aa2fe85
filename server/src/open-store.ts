import { join } from 'node:path'
import type { Clock } from './runtime/clock.ts'
import type { Config } from './settings/config.ts'
import { databaseClock, type NodeClock } from './database/database-clock.ts'
import type { Retry } from './database/postgres.ts'
import type { Db } from './database/schema.ts'
import { openSqlite, sqliteFile } from './database/sqlite.ts'
import { type Foundation, Units } from './database/unit.ts'
import { recordInUnit } from './audit/audit-trail.ts'
import { randomIdentifiers } from './runtime/identifiers.ts'
import { databaseKeys } from './keys/database-signer.ts'
import { fileKeys } from './keys/file-signer.ts'
import { pkcs11Keys } from './keys/pkcs11-signer.ts'
import { type SecretsAtRest, secretsAtRest } from './keys/secrets-at-rest.ts'
import type { KeyProvider } from './keys/signer.ts'
import { type SigningKeys, signingKeys } from './keys/signing-keys.ts'
import type { PublishingPolicy } from './log/checkpoint-queries.ts'
import { type OpenedMarks, openMarks } from './log/high-water-mark.ts'
import { type TransparencyLog, transparencyLog } from './log/transparency-log.ts'
import { type Mail, mail } from './deliveries/mail.ts'
import type { ObjectStore } from './objects/object-store.ts'
import { openObjects } from './objects/open-objects.ts'
import { type WebhookKey, webhookKey } from './deliveries/webhook-key.ts'
import { removeTask, restartTask } from './tasks/tasks.ts'
import { recordRevocation } from './access/record-revocation.ts'
import { DECLARED } from './tables.ts'

export { sqliteFile } from './database/sqlite.ts'

/** Persistent storage: database, objects and signing keys. */
export interface Store extends AsyncDisposable {
  readonly db: Db
  readonly units: Units
  /** The time of the database. */
  readonly clock: Clock
  /** By how much the clock of this machine is ahead of the database's. */
  readonly skewMs: () => number
  readonly objects: ObjectStore
  readonly signingKeys: SigningKeys
  readonly secrets: SecretsAtRest
  readonly mail: Mail
  /** Signs webhooks. */
  readonly webhookKey: WebhookKey
  readonly transparencyLog: TransparencyLog
  /** Where the high-water mark of the log is kept. */
  readonly marks: OpenedMarks
}

export interface StoreOptions {
  /** Used as it is, instead of the time of the database. */
  readonly clock?: Clock | undefined
  readonly nodeClock?: NodeClock | undefined
  /** Connections to PostgreSQL; by default the configured number. */
  readonly connections?: number
  /** Waits for a database that is still starting. */
  readonly retry?: Retry | undefined
  /** What checkpoints of the log need before kits refer to them. */
  readonly publishing?: PublishingPolicy | undefined
  /** Called with every statement. */
  readonly onStatement?: ((statement: string) => void) | undefined
}

export async function openStore(config: Config, options: StoreOptions = {}): Promise<Store> {
  const db = await openDatabase(config, options)
  const providers = keyProviders(config, db)
  const objects = openObjects(config.objects)
  const { clock, skewMs, stopClock } = await chooseClock(db, options)
  const marks = openMarks(config)
  const secrets = secretsAtRest(config.keyPassphrase, config.previousKeyPassphrase)
  const identifiers = randomIdentifiers(clock)
  const sender = mail({ clock, identifiers, isOn: config.mail !== undefined, secrets })
  const foundation: Foundation = {
    db,
    clock,
    cipher: secrets,
    id: identifiers.id,
    record: recordInUnit,
    queue,
  }
  return {
    db,
    units: new Units(foundation),
    clock,
    skewMs,
    objects,
    secrets,
    mail: sender,
    webhookKey: webhookKey(db, providers, clock),
    signingKeys: signingKeys({
      db,
      providers,
      clock,
      onRevoked: (trx, revocation) => recordRevocation(trx, revocation, sender),
    }),
    transparencyLog: transparencyLog({ db, providers, clock, marks, publishing: options.publishing }),
    marks,
    [Symbol.asyncDispose]: async () => {
      stopClock()
      for (const provider of providers) await provider.close()
      await objects.close()
      await marks[Symbol.asyncDispose]()
      await db.destroy()
    },
  }
}

const queue: Foundation['queue'] = async ({ db, acting }, kind, key, dueAt) => {
  if (dueAt === null) await removeTask(db, kind, key)
  else await restartTask(db, { kind, key, workspaceId: acting.workspaceId ?? null, dueAt })
}

async function chooseClock(db: Db, { clock, nodeClock, retry }: StoreOptions) {
  if (clock !== undefined) return { clock, skewMs: () => 0, stopClock: () => {} }
  const follow = () => databaseClock(db, nodeClock)
  const followed = await (retry?.(follow) ?? follow())
  return { clock: followed, skewMs: followed.skewMs, stopClock: () => followed[Symbol.dispose]() }
}

async function openDatabase(config: Config, options: StoreOptions): Promise<Db> {
  if (config.databaseUrl === undefined) {
    return openSqlite(sqliteFile(config), options.onStatement, { tables: DECLARED })
  }
  // Loads the driver only if it is needed.
  const { openPostgres } = await import('./database/postgres.ts')
  const { connections = config.databaseConnections, retry, onStatement } = options
  return openPostgres({ url: config.databaseUrl, connections, retry, onStatement, tables: DECLARED })
}

/** The first provider creates new keys. Keys of the others stay usable. */
function keyProviders(config: Config, db: Db): readonly [KeyProvider, ...KeyProvider[]] {
  const { keyPassphrase, previousKeyPassphrase } = config
  const passphrase = {
    ...(keyPassphrase === undefined ? {} : { passphrase: keyPassphrase }),
    ...(previousKeyPassphrase === undefined ? {} : { previous: previousKeyPassphrase }),
  }
  const files = fileKeys({ directory: join(config.dataFolder, 'keys'), ...passphrase })
  const rows = databaseKeys({ db, ...passphrase })
  if (config.signer.is === 'pkcs11') return [pkcs11Keys(config.signer), rows, files]
  return config.signer.is === 'database' ? [rows, files] : [files, rows]
}
