import { generateKeyPairSync } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { publicJwk } from '@kitseal/kit'
import { nodeSigner, readSecret } from '@kitseal/kit/internal/node'
import { command } from '../command-line.ts'
import { InputError, orInputError } from '../input-error.ts'
import { printable, type Terminal } from '../terminal.ts'
import { keyEncryption, writeNewFile } from '../write-file.ts'

const HELP = `usage: kitseal keygen FILE [OPTIONS]

Creates an Ed25519 key for "kitseal seal". Writes the private key to FILE (mode 600) and the public key set, which others
verify with, to FILE.jwks.json. Set KITSEAL_KEY_PASSPHRASE to encrypt the private key.

OPTIONS`

/** `kitseal keygen`. */
export const run = command('keygen', HELP, {
  read: ({ positionals, reject }) => {
    const [path = ''] = positionals
    reject(positionals.length !== 1 && 'pass one file name for the key')
    return async ({ env }) => {
      const published = `${path}.jwks.json`
      const taken = [path, published].find((file) => existsSync(file))
      if (taken !== undefined) throw new InputError(`${taken} already exists. Keys are never overwritten.`)
      const { privateKey } = generateKeyPairSync('ed25519')
      const { kid, x } = nodeSigner(privateKey)
      const iat = Math.floor(Date.now() / 1000)
      const keys = { keys: [publicJwk(x, { iat })], revoked_keys: [] }
      const encryption = keyEncryption(keyPassphrase(env))
      write(path, privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }), 0o600)
      try {
        write(published, `${JSON.stringify(keys, null, 2)}\n`)
      } catch (error) {
        rmSync(path)
        throw error
      }
      return {
        json: { status: 'OK', private_key: path, jwks: published, kid },
        out: [
          `private key  ${printable(path)}  (keep it secret)`,
          `public keys  ${printable(published)}  (publish it)`,
          `key ID       ${kid}`,
        ],
      }
    }
  },
})

const write = (path: string, content: string | Buffer, mode?: number): void =>
  orInputError(`cannot write ${path}`, () => writeNewFile(path, content, mode))

/** From KITSEAL_KEY_PASSPHRASE, or from the file that KITSEAL_KEY_PASSPHRASE_FILE names. */
export function keyPassphrase(env: Terminal['env']): string | undefined {
  try {
    return readSecret(env, 'KITSEAL_KEY_PASSPHRASE')
  } catch (error) {
    throw new InputError((error as Error).message)
  }
}
