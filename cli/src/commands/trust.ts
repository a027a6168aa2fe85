import { fromBase64url, pointProblem, type PublicJwk } from '@kitseal/kit'
import { KID, type OptionKind, readArguments, suggestion } from '../arguments.ts'
import { changeTrustStore } from '../change-trust-store.ts'
import { isAddress, readKeySet } from '../read-key-set.ts'
import { sayUnreadable, UnreadableInput } from '../unreadable-input.ts'
import { EXIT, jsonText, lines, plain, showHelp, type Terminal, usageError } from '../terminal.ts'
import { readTrustStore, type StoredPin, trustStorePath } from '../trust-store.ts'

const HELP = `usage: kitseal trust add KID|FILE|URL --issuer ISSUER   pin a key, or every key of a set, for one issuer
       kitseal trust list [--json]                     show what is pinned
       kitseal trust remove KID                        pin it no longer

What is pinned counts for "kitseal verify" where neither --jwks nor --kid is given. A key speaks only for the issuer
that it is pinned for: the issuer that the receipt has to name. For a URL, --issuer may be left out: it is the URL's
own origin. Compare the KID with what the issuer publishes or tells you; the kit's own word for it proves nothing.

The store is a file: KITSEAL_TRUST_STORE, or kitseal/trust.json in your configuration folder.

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
  const { words, flags, values, problems, wantsHelp } = readArguments<string>(args, options ?? {})
  if (wantsHelp || verb === '--help' || verb === '-h') return showHelp(terminal, HELP)
  if (options === undefined) {
    const problem = `there is no ${JSON.stringify(verb)}${suggestion(verb, Object.keys(VERBS))}`
    return usageError(terminal, 'trust', [problem])
  }
  const needed = verb === 'list' ? 0 : 1
  const wrong =
    words.length === needed
      ? problems
      : [...problems, `${verb} takes ${needed === 1 ? 'one argument' : 'no argument'}`]
  if (wrong.length > 0) return usageError(terminal, 'trust', wrong)
  const path = trustStorePath(terminal.env)
  const [word = ''] = words
  try {
    if (verb === 'add') return await add(word, values.get('issuer')?.[0], path, terminal)
    if (verb === 'remove') return await remove(word, path, terminal)
    return list(path, flags.has('json'), terminal)
  } catch (error) {
    return sayUnreadable(error, 'trust', terminal, flags.has('json'))
  }
}

async function add(
  what: string,
  named: string | undefined,
  path: string,
  terminal: Terminal,
): Promise<number> {
  if (isAddress(what) && !URL.canParse(what))
    throw new UnreadableInput(`${JSON.stringify(what)} is no address`)
  const issuer = named ?? (isAddress(what) ? new URL(what).origin : undefined)
  if (issuer === undefined) {
    return usageError(terminal, 'trust add', [
      '--issuer is needed: a key is trusted for one issuer, never for all',
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
  lines(
    terminal.stdout,
    added.map(({ kid }) => `pinned ${kid} for ${plain(issuer)}`),
  )
  return EXIT.ok
}

async function keysOf(place: string): Promise<readonly { readonly kid: string; readonly key: PublicJwk }[]> {
  const set = await readKeySet(place)
  const [refused] = set.refused
  if (refused !== undefined) throw new UnreadableInput(`${place}: a key ${refused.why}`)
  for (const { kid, x } of set.keys) {
    const problem = pointProblem(fromBase64url(x) ?? new Uint8Array(32))
    if (problem !== undefined)
      throw new UnreadableInput(`${place}: the key ${kid} is a ${problem} point, which is nobody's key`)
  }
  if (set.keys.length === 0) throw new UnreadableInput(`${place} holds no Ed25519 key`)
  return set.keys.map((key) => ({ kid: key.kid, key }))
}

function list(path: string, json: boolean, { stdout, stderr }: Terminal): number {
  const pins = readTrustStore(path)
  if (json) {
    lines(stdout, [jsonText(pins.map(({ kid, issuer, addedAt }) => ({ kid, issuer, added_at: addedAt })))])
    return EXIT.ok
  }
  lines(
    stdout,
    pins.map(({ kid, issuer, addedAt }) => `${kid}  ${plain(issuer)}  since ${plain(addedAt)}`),
  )
  if (pins.length === 0) lines(stderr, ['Nothing is pinned. "kitseal trust add" pins the key of an issuer.'])
  return EXIT.ok
}

async function remove(kid: string, path: string, { stdout, stderr }: Terminal): Promise<number> {
  if (!readTrustStore(path).some((pin) => pin.kid === kid)) {
    lines(stderr, [`kitseal trust: ${plain(kid)} is not pinned`])
    return EXIT.fail
  }
  await changeTrustStore(path, (pins) => pins.filter((pin) => pin.kid !== kid))
  lines(stdout, [`removed ${plain(kid)}`])
  return EXIT.ok
}
