import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/schema.ts'
import { openSqlite } from './database/sqlite.ts'
import { fileKeys } from './keys/file-signer.ts'
import { pkcs11Keys } from './keys/pkcs11-signer.ts'
import type { KeyProvider } from './keys/signer.ts'
import { type SigningKeys, signingKeys } from './keys/signing-keys.ts'
import { filesystemObjects } from './objects/filesystem-objects.ts'
import type { ObjectStore } from './objects/object-store.ts'

/** What is kept between runs. */
export interface Store extends AsyncDisposable {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  readonly signingKeys: SigningKeys
}

export async function openStore(config: Config, clock: Clock = systemClock): Promise<Store> {
  const db = await openSqlite(join(config.dataFolder, 'kitseal.sqlite'))
  const providers = keyProviders(config)
  return {
    db,
    objects: filesystemObjects(join(config.dataFolder, 'objects')),
    signingKeys: signingKeys({ db, providers, clock }),
    [Symbol.asyncDispose]: async () => {
      for (const provider of providers) await provider.close()
      await db.destroy()
    },
  }
}

/** The first makes new keys; a key in a file stays usable after a token is configured. */
function keyProviders(config: Config): readonly [KeyProvider, ...KeyProvider[]] {
  const passphrase = config.keyPassphrase === undefined ? {} : { passphrase: config.keyPassphrase }
  const files = fileKeys({ directory: join(config.dataFolder, 'keys'), ...passphrase })
  return config.signer.is === 'pkcs11' ? [pkcs11Keys(config.signer), files] : [files]
}
