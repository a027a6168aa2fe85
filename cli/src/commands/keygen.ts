import { generateKeyPairSync } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { publicJwk } from '@kitseal/kit'
import { nodeSigner } from '@kitseal/kit/node'
import { parseArguments } from '../arguments.ts'
import { describeError, InputError, reportInputError } from '../input-error.ts'
import { EXIT, jsonText, writeLines, printable, showHelp, type Terminal, usageError } from '../terminal.ts'
import { writeNewFile } from '../write-new-file.ts'

const HELP = `usage: kitseal keygen FILE [--json]

Creates an Ed25519 key for "kitseal seal". Writes the private key to FILE (mode 600) and the public key set, which others
verify with, to FILE.jwks.json. Set KITSEAL_KEY_PASSPHRASE to encrypt the private key.

  --json          print the result as JSON

example:
  kitseal keygen issuer.key`

/** `kitseal keygen`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, problems, wantsHelp } = parseArguments(args, { json: 'flag' })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0 || problems.length > 0) {
    return usageError(
      terminal,
      'keygen',
      positionals.length === 1 ? problems : [...problems, 'pass one file name for the key'],
    )
  }
  const fail = (problem: string): number =>
    reportInputError(new InputError(problem), 'keygen', terminal, flags.has('json'))
  const published = `${path}.jwks.json`
  const taken = [path, published].find((file) => existsSync(file))
  if (taken !== undefined) {
    return fail(`${taken} already exists. Keys are never overwritten.`)
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
    return fail(`cannot write ${path}: ${describeError(error)}`)
  }
  try {
    writeNewFile(published, `${JSON.stringify(keys, null, 2)}\n`)
  } catch (error) {
    rmSync(path)
    return fail(`cannot write ${published}: ${describeError(error)}`)
  }
  const result = { status: 'OK', private_key: path, jwks: published, kid }
  if (flags.has('json')) writeLines(terminal.stdout, [jsonText(result)])
  else
    writeLines(terminal.stdout, [
      `private key  ${printable(path)}  (keep it secret)`,
      `public keys  ${printable(published)}  (publish it)`,
      `key ID       ${kid}`,
    ])
  return EXIT.ok
}
