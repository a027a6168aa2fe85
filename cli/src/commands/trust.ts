import { type PublicJwk, vkey } from '@kitseal/kit/internal'
import { KID, durationProblems } from '../arguments.ts'
import { changeTrustStore } from '../trust-store.ts'
import {
  command,
  JSON_OPTION,
  type Run,
  type Shown,
  subcommands,
  wholeList,
  helpText,
} from '../command-line.ts'
import { isUrl, readKeySet, usableKeys } from '../read-documents.ts'
import { errorValue, InputError } from '../input-error.ts'
import { issuerUrl } from '../fetch-document.ts'
import { logOf, readPolicy } from '../read-policy.ts'
import { pinnedText, rejectOtherLog, trustIssuer } from '../pin-issuer.ts'
import { EXIT, printable } from '../terminal.ts'
import { readTrustStore, type StoredLog, type StoredPin, trustStorePath } from '../trust-store.ts'

const ADD_OPTIONS = {
  issuer: 'ISSUER  the issuer that a key belongs to',
  policy:
    'FILE  require the witnesses and the quorum of this policy (C2SP tlog-policy) for every kit of the issuer',
  'tsa-roots':
    'FILE  require a time-stamp that leads to one of these certificates (PEM) for every kit of the issuer',
  'max-delay':
    'TIME  how long before the time that witnesses and authority confirm a kit may have been issued (default 24h)',
  yes: 'pin without asking',
} as const

const HELP = helpText(
  `usage: kitseal trust add ISSUER [--policy FILE] [--tsa-roots FILE] [--yes]     pin an issuer: its keys and its log
       kitseal trust add KID|FILE|URL --issuer ISSUER [--policy FILE]         pin a key, or all keys of a key set
       kitseal trust list [--json]                                            list pinned keys and logs
       kitseal trust remove KID|ISSUER                                        remove a pinned key, or an issuer

"kitseal verify" uses what is pinned, unless --jwks, --kid or --policy is given. A key verifies only kits whose receipt names
the issuer that it is pinned for. Once the log of an issuer is pinned, its kits must have a proof of that log.

"add ISSUER" fetches the key set and the key of the log over HTTPS and shows them before it pins them. This is trust on first
use: compare them with a copy that you got another way. Witnesses count only with --policy, because an issuer could name
witnesses of its own making. Get the policy and the key ID from elsewhere, never from a kit: a kit cannot vouch for itself.

For the URL of a key set (ending in .json, or with --issuer), only its keys are pinned, and --issuer defaults to its origin.

OPTIONS

Pins are stored in KITSEAL_TRUST_STORE (default: ~/.config/kitseal/trust.json).

examples:
  kitseal trust add https://issuer.example
  kitseal trust add https://issuer.example --policy issuer.policy
  kitseal trust add AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo --issuer https://issuer.example`,
  { ...ADD_OPTIONS, json: JSON_OPTION },
)

const add = command('trust', HELP, {
  options: ADD_OPTIONS,
  arguments: ['add takes one argument'],
  read: ({ positionals: [what = ''], value, has, reject }) => {
    const [policyPath, rootsPath, maxDelay] = [value('policy'), value('tsa-roots'), value('max-delay')]
    const isWhole = !has('issuer') && isIssuer(what)
    const issuer = value('issuer') ?? (URL.canParse(what) && isUrl(what) ? new URL(what).origin : undefined)
    reject(
      ...durationProblems('--max-delay', maxDelay),
      !isWhole &&
        (rootsPath !== undefined || maxDelay !== undefined) &&
        '--tsa-roots and --max-delay are for "trust add ISSUER"',
      issuer === undefined &&
        what !== '' &&
        !isUrl(what) &&
        '--issuer is required: the URL of the issuer that the key belongs to',
    )
    return async (terminal) => {
      const path = trustStorePath(terminal.env)
      if (isWhole) {
        const terms = { policyPath, rootsPath, maxDelay, yes: has('yes') }
        return trustIssuer(issuerAddress(what), terms, path, terminal)
      }
      if (issuer === undefined || (isUrl(what) && !URL.canParse(what)))
        throw new InputError(`${JSON.stringify(what)} is not a valid URL`)
      return pinKeysOf(what, issuer, policyPath, path)
    }
  },
})

const list = command('trust', HELP, {
  arguments: [],
  read:
    () =>
    async ({ env }) => {
      const { pins, logs } = readTrustStore(trustStorePath(env))
      const rows = pins.map(({ kid, issuer, createdAt }) => {
        const log = logs.find((each) => each.issuer === issuer)?.vkey ?? null
        return { kid, issuer, created_at: createdAt, log }
      })
      return {
        json: wholeList(rows),
        out: [
          ...rows.map(({ kid, issuer, created_at }) => `${kid}  ${issuer}  added ${created_at}`),
          ...logs.map(
            ({ vkey: key, issuer, created_at, policy }) =>
              `${key}  ${issuer}  log, ${policy === undefined ? 'no policy' : 'with a policy'}, added ${created_at}`,
          ),
        ].map(printable),
        err: pins.length + logs.length === 0 ? ['No keys are pinned. Pin one with "kitseal trust add".'] : [],
      }
    },
})

const remove = command('trust', HELP, {
  arguments: ['remove takes one argument'],
  read:
    ({ positionals: [what = ''] }) =>
    async ({ env }) => {
      const path = trustStorePath(env)
      const names = new Set([what, issuerUrl(what)])
      const isNamed = ({ kid, issuer }: { readonly kid?: string; readonly issuer: string }): boolean =>
        kid === what || names.has(issuer)
      const { pins, logs } = readTrustStore(path)
      if (![...pins, ...logs].some(isNamed)) {
        const message = `${printable(what)} is not pinned`
        return {
          json: errorValue({ code: 'nothing_changed', message }),
          err: [`kitseal trust: ${message}`],
          exitCode: EXIT.fail,
        }
      }
      await changeTrustStore(path, (store) => ({
        pins: store.pins.filter((pin) => !isNamed(pin)),
        logs: store.logs.filter((log) => !isNamed(log)),
      }))
      const messages = [`removed ${printable(what)}`]
      return { json: { status: 'OK', messages }, out: messages }
    },
})

/** `kitseal trust`. */
export const run: Run = subcommands('trust', HELP, { add, list, remove })

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

async function pinKeysOf(
  what: string,
  issuer: string,
  policyPath: string | undefined,
  path: string,
): Promise<Shown> {
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
  return pinnedText(issuer, [...kids, log && `the log ${log.vkey}`])
}

/** Pins the log of the issuer that the policy names, without the network. */
async function logWithPolicy(issuer: string, policyPath: string, path: string): Promise<StoredLog> {
  const { policy, text } = await readPolicy(policyPath)
  const key = logOf(issuer, policy)
  if (key === undefined) throw new InputError(`the policy names no log of ${issuer}`)
  const before = readTrustStore(path).logs.find((log) => log.issuer === issuer)
  rejectOtherLog(issuer, before, key)
  return {
    ...before,
    issuer,
    vkey: vkey(key),
    created_at: before?.created_at ?? new Date().toISOString(),
    policy: text,
  }
}

async function keysOf(source: string): Promise<readonly { readonly kid: string; readonly key: PublicJwk }[]> {
  const keys = usableKeys(await readKeySet(source), source)
  if (keys.length === 0) throw new InputError(`${source}: all keys are revoked`)
  return keys.map((key) => ({ kid: key.kid, key }))
}
