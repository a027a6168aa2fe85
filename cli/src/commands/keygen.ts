import { generateKeyPairSync } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { publicJwk } from '@kitseal/kit'
import { nodeSigner } from '@kitseal/kit/node'
import { parseArguments } from '../arguments.ts'
import { describeError } from '../input-error.ts'
import { EXIT, writeLines, printable, showHelp, type Terminal, usageError } from '../terminal.ts'
import { writeNewFile } from '../write-new-file.ts'

const HELP = `usage: kitseal keygen FILE

Creates an Ed25519 key for "kitseal seal". Writes the private key to FILE (mode 600) and the public key set, which others
verify with, to FILE.jwks.json. Set KITSEAL_KEY_PASSPHRASE to encrypt the private key.

example:
  kitseal keygen issuer.key`

/** `kitseal keygen`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, problems, wantsHelp } = parseArguments(args, {})
  if (wantsHelp) return showHelp(terminal, HELP)
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0 || problems.length > 0) {
    return usageError(
      terminal,
      'keygen',
      positionals.length === 1 ? problems : [...problems, 'pass one file name for the key'],
    )
  }
  const published = `${path}.jwks.json`
  const taken = [path, published].find((file) => existsSync(file))
  if (taken !== undefined) {
    writeLines(terminal.stderr, [
      `kitseal keygen: ${printable(taken)} already exists. Keys are never overwritten.`,
    ])
    return EXIT.usage
  }
  const { privateKey } = generateKeyPairSync('ed25519')
  const { kid, x } = nodeSigner(privateKey)
  const passphrase = terminal.env['KITSEAL_KEY_PASSPHRASE']
  const encrypted = passphrase === undefined || passphrase === '' ? {} : { cipher: 'aes-256-cbc', passphrase }
  const iat = Math.floor(Date.now() / 1000)
  const keys = { keys: [publicJwk(x, { iat })], revoked_keys: [] }
  try {
    writeNewFile(path, privateKey.export({ type: 'pkcs8', format: 'pem', ...encrypted }), 0o600)
  } catch (error) {
    writeLines(terminal.stderr, [`kitseal keygen: cannot write ${printable(path)}: ${describeError(error)}`])
    return EXIT.usage
  }
  try {
    writeNewFile(published, `${JSON.stringify(keys, null, 2)}\n`)
  } catch (error) {
    rmSync(path)
    writeLines(terminal.stderr, [
      `kitseal keygen: cannot write ${printable(published)}: ${describeError(error)}`,
    ])
    return EXIT.usage
  }
  writeLines(terminal.stdout, [
    `private key  ${printable(path)}  (keep it secret)`,
    `public keys  ${printable(published)}  (publish it)`,
    `key ID       ${kid}`,
  ])
  return EXIT.ok
}
