import { generateKeyPairSync } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { publicJwk } from '@kitseal/kit'
import { nodeSigner } from '@kitseal/kit/node'
import { readArguments } from '../arguments.ts'
import { reason } from '../unreadable-input.ts'
import { EXIT, lines, plain, showHelp, type Terminal, usageError } from '../terminal.ts'
import { writeNewFile } from '../write-new-file.ts'

const HELP = `usage: kitseal keygen FILE

Makes an Ed25519 key for "kitseal seal": the private key in FILE, readable by you alone, and the public key set that
others verify with in FILE.jwks.json. Set KITSEAL_KEY_PASSPHRASE to encrypt the private key.

example:
  kitseal keygen issuer.key`

/** `kitseal keygen`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, problems, wantsHelp } = readArguments(args, {})
  if (wantsHelp) return showHelp(terminal, HELP)
  const [path, ...more] = words
  if (path === undefined || more.length > 0 || problems.length > 0) {
    return usageError(
      terminal,
      'keygen',
      words.length === 1 ? problems : [...problems, 'one file to write the key to is needed'],
    )
  }
  const published = `${path}.jwks.json`
  const taken = [path, published].find((file) => existsSync(file))
  if (taken !== undefined) {
    lines(terminal.stderr, [
      `kitseal keygen: ${plain(taken)} is there already, and a key is never overwritten`,
    ])
    return EXIT.usage
  }
  const { privateKey } = generateKeyPairSync('ed25519')
  const { kid, x } = nodeSigner(privateKey)
  const passphrase = terminal.env['KITSEAL_KEY_PASSPHRASE']
  const encrypted = passphrase === undefined || passphrase === '' ? {} : { cipher: 'aes-256-cbc', passphrase }
  const iat = Math.floor(Date.now() / 1000)
  const keys = { keys: [publicJwk(x, { iat })] }
  try {
    writeNewFile(path, privateKey.export({ type: 'pkcs8', format: 'pem', ...encrypted }), 0o600)
  } catch (error) {
    lines(terminal.stderr, [`kitseal keygen: ${plain(path)} cannot be written: ${reason(error)}`])
    return EXIT.usage
  }
  try {
    writeNewFile(published, `${JSON.stringify(keys, null, 2)}\n`)
  } catch (error) {
    rmSync(path)
    lines(terminal.stderr, [`kitseal keygen: ${plain(published)} cannot be written: ${reason(error)}`])
    return EXIT.usage
  }
  lines(terminal.stdout, [
    `private key  ${plain(path)}: keep it to yourself`,
    `public keys  ${plain(published)}: publish it, and tell its readers the key ID`,
    `key ID       ${kid}`,
  ])
  return EXIT.ok
}
