import type { PublicJwk } from '@kitseal/kit'
import { KID, type OptionKind, parseArguments, suggestion } from '../arguments.ts'
import { changeTrustStore } from '../change-trust-store.ts'
import { isUrl, readKeySet } from '../read-key-set.ts'
import { reportInputError, InputError } from '../input-error.ts'
import { EXIT, jsonText, writeLines, printable, showHelp, type Terminal, usageError } from '../terminal.ts'
import { readTrustStore, type StoredPin, trustStorePath } from '../trust-store.ts'
import { usableKeys } from '../usable-keys.ts'

const HELP = `usage: kitseal trust add KID|FILE|URL --issuer ISSUER   pin a key, or all keys of a key set
       kitseal trust list [--json]                     list pinned keys
       kitseal trust remove KID                        remove a pinned key

"kitseal verify" uses pinned keys unless --jwks or --kid is given. A key is pinned for one issuer and verifies only kits
whose receipt names that issuer. For a URL, --issuer defaults to its origin. Get the key ID from the issuer, not from the
kit: a kit cannot vouch for its own key.

Pins are stored in KITSEAL_TRUST_STORE (default: ~/.config/kitseal/trust.json).

examples:
  kitseal trust add https://issuer.example/.well-known/jwks.json
  kitseal trust add AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo --issuer https://issuer.example`

const VERBS: Readonly<Record<string, Readonly<Record<string, OptionKind>>>> = {
  add: { issuer: 'one' },
  list: { json: 'flag' },
  remove: {},
}

/** `kitseal trust`. */
export async function run(
  [verb = '--help', ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const options = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  const { positionals, flags, values, problems, wantsHelp } = parseArguments<string>(args, options ?? {})
  if (wantsHelp || verb === '--help' || verb === '-h') return showHelp(terminal, HELP)
  if (options === undefined) {
    const problem = `unknown command ${JSON.stringify(verb)}${suggestion(verb, Object.keys(VERBS))}`
    return usageError(terminal, 'trust', [problem])
  }
  const needed = verb === 'list' ? 0 : 1
  const wrong =
    positionals.length === needed
      ? problems
      : [...problems, `${verb} takes ${needed === 1 ? 'one argument' : 'no arguments'}`]
  if (wrong.length > 0) return usageError(terminal, 'trust', wrong)
  const path = trustStorePath(terminal.env)
  const [word = ''] = positionals
  try {
    if (verb === 'add') return await add(word, values.get('issuer')?.[0], path, terminal)
    if (verb === 'remove') return await remove(word, path, terminal)
    return list(path, flags.has('json'), terminal)
  } catch (error) {
    return reportInputError(error, 'trust', terminal, flags.has('json'))
  }
}

async function add(
  what: string,
  named: string | undefined,
  path: string,
  terminal: Terminal,
): Promise<number> {
  if (isUrl(what) && !URL.canParse(what)) throw new InputError(`${JSON.stringify(what)} is not a valid URL`)
  const issuer = named ?? (isUrl(what) ? new URL(what).origin : undefined)
  if (issuer === undefined) {
    return usageError(terminal, 'trust', [
      '--issuer is required: the URL of the issuer that the key belongs to',
    ])
  }
  const keys: readonly Pick<StoredPin, 'kid' | 'key'>[] = KID.test(what)
    ? [{ kid: what }]
    : await keysOf(what)
  const added = keys.map(({ kid, key }) => ({ kid, issuer, key, addedAt: new Date().toISOString() }))
  const kids = new Set(added.map(({ kid }) => kid))
  await changeTrustStore(path, (pins) => [
    ...pins.filter((pin) => !(kids.has(pin.kid) && pin.issuer === issuer)),
    ...added,
  ])
  writeLines(
    terminal.stdout,
    added.map(({ kid }) => `pinned ${kid} for ${printable(issuer)}`),
  )
  return EXIT.ok
}

async function keysOf(source: string): Promise<readonly { readonly kid: string; readonly key: PublicJwk }[]> {
  const keys = usableKeys(await readKeySet(source), source)
  if (keys.length === 0) throw new InputError(`${source}: all keys are revoked`)
  return keys.map((key) => ({ kid: key.kid, key }))
}

function list(path: string, json: boolean, { stdout, stderr }: Terminal): number {
  const pins = readTrustStore(path)
  if (json) {
    writeLines(stdout, [
      jsonText(pins.map(({ kid, issuer, addedAt }) => ({ kid, issuer, added_at: addedAt }))),
    ])
    return EXIT.ok
  }
  writeLines(
    stdout,
    pins.map(({ kid, issuer, addedAt }) => `${kid}  ${printable(issuer)}  added ${printable(addedAt)}`),
  )
  if (pins.length === 0) writeLines(stderr, ['No keys are pinned. Pin one with "kitseal trust add".'])
  return EXIT.ok
}

async function remove(kid: string, path: string, { stdout, stderr }: Terminal): Promise<number> {
  if (!readTrustStore(path).some((pin) => pin.kid === kid)) {
    writeLines(stderr, [`kitseal trust: ${printable(kid)} is not pinned`])
    return EXIT.fail
  }
  await changeTrustStore(path, (pins) => pins.filter((pin) => pin.kid !== kid))
  writeLines(stdout, [`removed ${printable(kid)}`])
  return EXIT.ok
}
