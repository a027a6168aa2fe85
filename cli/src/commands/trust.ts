import { type PublicJwk, vkey } from '@kitseal/kit'
import { KID, type OptionKind, parseArguments, suggestion } from '../arguments.ts'
import { changeTrustStore } from '../change-trust-store.ts'
import { durationProblems } from '../duration.ts'
import { isUrl, readKeySet } from '../read-key-set.ts'
import { errorJson, reportInputError, InputError } from '../input-error.ts'
import { issuerUrl } from '../issuer-url.ts'
import { rejectOtherLog } from '../pin-issuer.ts'
import type { Keyboard } from '../prompt-secret.ts'
import { logOf } from '../published-log.ts'
import { readPolicyText } from '../read-policy.ts'
import { showIssuer } from '../show-issuer.ts'
import { EXIT, jsonText, writeLines, printable, showHelp, type Terminal, usageError } from '../terminal.ts'
import { trustIssuer } from '../trust-issuer.ts'
import { readTrustStore, type StoredLog, type StoredPin, trustStorePath } from '../trust-store.ts'
import { usableKeys } from '../usable-keys.ts'

const HELP = `usage: kitseal trust add ISSUER [--policy FILE] [--tsa-roots FILE] [--yes]     pin an issuer: its keys and its log
       kitseal trust add KID|FILE|URL --issuer ISSUER [--policy FILE]         pin a key, or all keys of a key set
       kitseal trust list [--json]                                            list pinned keys and logs
       kitseal trust show ISSUER [--json]                                     show what is pinned for an issuer
       kitseal trust remove KID|ISSUER                                        remove a pinned key, or an issuer

"kitseal verify" uses what is pinned, unless --jwks, --kid or --policy is given. A key verifies only kits whose receipt names
the issuer that it is pinned for. Once the log of an issuer is pinned, its kits must have a proof of that log.

"add ISSUER" fetches the key set and the key of the log over HTTPS and shows them before it pins them. This is trust on first
use: compare them with a copy that you got another way. Witnesses count only with --policy, because an issuer could name
witnesses of its own making. Get the policy and the key ID from elsewhere, never from a kit: a kit cannot vouch for itself.

For the URL of a key set (ending in .json, or with --issuer), only its keys are pinned, and --issuer defaults to its origin.

  --policy FILE   require the witnesses and the quorum of this policy (C2SP tlog-policy) for every kit of the issuer
  --tsa-roots FILE
                  require a time-stamp that leads to one of these certificates (PEM) for every kit of the issuer
  --max-delay TIME
                  how long before the time that witnesses and authority confirm a kit may have been issued (default 24h)
  --yes           pin without asking
  --json          print the result as JSON

Pins are stored in KITSEAL_TRUST_STORE (default: ~/.config/kitseal/trust.json).

examples:
  kitseal trust add https://issuer.example
  kitseal trust add https://issuer.example --policy issuer.policy
  kitseal trust add AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo --issuer https://issuer.example`

const VERBS: Readonly<Record<string, Readonly<Record<string, OptionKind>>>> = {
  add: { issuer: 'one', policy: 'one', 'tsa-roots': 'one', 'max-delay': 'one', yes: 'flag', json: 'flag' },
  list: { json: 'flag' },
  show: { json: 'flag' },
  remove: { json: 'flag' },
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
  const wrong = [
    ...problems,
    ...durationProblems('--max-delay', values.get('max-delay')?.[0]),
    ...(positionals.length === needed
      ? []
      : [`${verb} takes ${needed === 1 ? 'one argument' : 'no arguments'}`]),
  ]
  if (wrong.length > 0) return usageError(terminal, 'trust', wrong)
  const path = trustStorePath(terminal.env)
  const [word = ''] = positionals
  try {
    if (flags.has('json') && (verb === 'add' || verb === 'remove'))
      return await changeAsJson([verb, ...args.filter((arg) => arg !== '--json')], terminal)
    if (verb === 'add') {
      const [issuer] = values.get('issuer') ?? []
      const [policyPath] = values.get('policy') ?? []
      const [rootsPath] = values.get('tsa-roots') ?? []
      const [maxDelay] = values.get('max-delay') ?? []
      if (issuer === undefined && isIssuer(word)) {
        const asked = { policyPath, rootsPath, maxDelay, yes: flags.has('yes') }
        return await trustIssuer(issuerAddress(word), asked, path, terminal)
      }
      if (rootsPath !== undefined || maxDelay !== undefined)
        return usageError(terminal, 'trust', ['--tsa-roots and --max-delay are for "trust add ISSUER"'])
      return await add(word, issuer, policyPath, path, terminal)
    }
    if (verb === 'show') return showIssuer(word, path, flags.has('json'), terminal)
    if (verb === 'remove') return await remove(word, path, terminal)
    return list(path, flags.has('json'), terminal)
  } catch (error) {
    return reportInputError(error, 'trust', terminal, flags.has('json'))
  }
}

/** Runs `add` or `remove`; their lines become messages of one JSON document. */
async function changeAsJson(
  args: readonly string[],
  terminal: Terminal & { readonly stdin?: Keyboard },
): Promise<number> {
  const messages: string[] = []
  const problems: string[] = []
  const { env, stdout, stderr, stdin } = terminal
  const own = {
    env,
    stdout: { write: (text: string) => messages.push(...linesOf(text)) },
    stderr: {
      isTTY: stderr.isTTY === true,
      write(text: string) {
        problems.push(...linesOf(text))
        // The error itself is in the JSON.
        if (!text.startsWith('kitseal trust: ')) stderr.write(text)
      },
    },
    ...(stdin === undefined ? {} : { stdin }),
  }
  const exitCode = await run(args, own)
  const code = exitCode === EXIT.fail ? 'nothing_changed' : 'input_unreadable'
  const message = problems.at(-1)?.replace(/^kitseal trust: /, '') ?? ''
  writeLines(stdout, [
    exitCode === EXIT.ok ? jsonText({ status: 'OK', messages }) : errorJson({ code, message }),
  ])
  return exitCode
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** A URL that is not the address of a key set. */
function isIssuer(word: string): boolean {
  return isUrl(word) && URL.canParse(word) && !/\.json$|\/jwks$/i.test(new URL(word).pathname)
}

function issuerAddress(word: string): string {
  const issuer = issuerUrl(word)
  if (issuer !== undefined) return issuer
  throw new InputError(
    `an issuer is an https URL, such as https://issuer.example, not ${JSON.stringify(word)}`,
  )
}

async function add(
  what: string,
  named: string | undefined,
  policyPath: string | undefined,
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
  const added = keys.map(({ kid, key }) => ({ kid, issuer, key, createdAt: new Date().toISOString() }))
  const kids = new Set(added.map(({ kid }) => kid))
  const log = policyPath === undefined ? undefined : await logWithPolicy(issuer, policyPath, path)
  await changeTrustStore(path, ({ pins, logs }) => ({
    pins: [...pins.filter((pin) => !(kids.has(pin.kid) && pin.issuer === issuer)), ...added],
    logs: log === undefined ? logs : [...logs.filter((each) => each.issuer !== issuer), log],
  }))
  writeLines(terminal.stdout, [
    ...added.map(({ kid }) => `pinned ${kid} for ${printable(issuer)}`),
    ...(log === undefined ? [] : [`pinned the log ${printable(log.vkey)} for ${printable(issuer)}`]),
  ])
  return EXIT.ok
}

/** Pins the log of the issuer that the policy names, without the network. */
async function logWithPolicy(issuer: string, policyPath: string, path: string): Promise<StoredLog> {
  const { policy, text } = await readPolicyText(policyPath)
  const key = logOf(issuer, policy)
  if (key === undefined) throw new InputError(`the policy names no log of ${issuer}`)
  const before = readTrustStore(path).logs.find((log) => log.issuer === issuer)
  rejectOtherLog(issuer, before, key)
  return { createdAt: new Date().toISOString(), ...before, issuer, vkey: vkey(key), policy: text }
}

async function keysOf(source: string): Promise<readonly { readonly kid: string; readonly key: PublicJwk }[]> {
  const keys = usableKeys(await readKeySet(source), source)
  if (keys.length === 0) throw new InputError(`${source}: all keys are revoked`)
  return keys.map((key) => ({ kid: key.kid, key }))
}

function list(path: string, json: boolean, { stdout, stderr }: Terminal): number {
  const { pins, logs } = readTrustStore(path)
  const logOfIssuer = (issuer: string): string | null =>
    logs.find((log) => log.issuer === issuer)?.vkey ?? null
  if (json) {
    const rows = pins.map(({ kid, issuer, createdAt }) => ({
      kid,
      issuer,
      created_at: createdAt,
      log: logOfIssuer(issuer),
    }))
    writeLines(stdout, [jsonText(rows)])
    return EXIT.ok
  }
  writeLines(stdout, [
    ...pins.map(
      ({ kid, issuer, createdAt }) => `${kid}  ${printable(issuer)}  added ${printable(createdAt)}`,
    ),
    ...logs.map(
      ({ vkey: key, issuer, createdAt, policy }) =>
        `${printable(key)}  ${printable(issuer)}  log, ${policy === undefined ? 'no policy' : 'with a policy'}, added ${printable(createdAt)}`,
    ),
  ])
  if (pins.length + logs.length === 0)
    writeLines(stderr, ['No keys are pinned. Pin one with "kitseal trust add".'])
  return EXIT.ok
}

async function remove(what: string, path: string, { stdout, stderr }: Terminal): Promise<number> {
  const names = new Set([what, issuerUrl(what)])
  const isNamed = ({ kid, issuer }: { readonly kid?: string; readonly issuer: string }): boolean =>
    kid === what || names.has(issuer)
  const { pins, logs } = readTrustStore(path)
  if (![...pins, ...logs].some(isNamed)) {
    writeLines(stderr, [`kitseal trust: ${printable(what)} is not pinned`])
    return EXIT.fail
  }
  await changeTrustStore(path, (store) => ({
    pins: store.pins.filter((pin) => !isNamed(pin)),
    logs: store.logs.filter((log) => !isNamed(log)),
  }))
  writeLines(stdout, [`removed ${printable(what)}`])
  return EXIT.ok
}
