/**
 * Every setting of the service: its type is what `parse` returns. readSettings() reads each once; `kitseal serve --help` and
 * docs/reference/settings.md show the same rows.
 */
import { readSecret, secretFileName } from '@kitseal/kit/internal/node'
import {
  authorityUrls,
  clamavAddress,
  databaseUrl,
  integer,
  issuerUrl,
  listen,
  logOrigin,
  mailServer,
  networks,
  onOff,
  oneOf,
  origins,
  providerUrl,
  rateLimit,
  readObjectsLocation,
  sender,
  text,
  trustProxy,
} from './parse.ts'

export interface Setting<T = unknown> {
  readonly takes: string
  readonly meaning: string
  /** Returns undefined for a value that is not valid. */
  readonly parse: (value: string) => T | undefined
  /** The default, as written in the environment. */
  readonly fallback?: string
  /** Describes a default that is not a plain value. */
  readonly fallbackText?: string
  /** Secrets have no flag, because every user of the machine can read command lines, and may be in a file. */
  readonly secret?: true
}

const setting = <const N extends `KITSEAL_${string}`, const S extends Setting>(name: N, row: S) => ({
  name,
  ...row,
})

const range = (least: number, most: number) => ({
  parse: integer(least, most),
  takes: `${least} to ${most}`,
})

export const ROLES = ['all', 'api', 'worker'] as const
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export const SETTINGS = [
  setting('KITSEAL_HOST', {
    parse: text,
    fallback: '127.0.0.1',
    takes: 'an address or host name',
    meaning: 'Address to listen on. `0.0.0.0` means every interface.',
  }),
  setting('KITSEAL_PORT', {
    ...range(0, 65_535),
    fallback: '8080',
    meaning: 'Port to listen on. 0 picks a free port.',
  }),
  setting('KITSEAL_METRICS_LISTEN', {
    parse: listen,
    fallback: '127.0.0.1:9464',
    takes: '`off`, or an address and port, such as `[::1]:9464`',
    meaning:
      'Where `/metrics` is served, without a key. If the default is taken, the node runs without and warns.',
  }),
  setting('KITSEAL_DATA', {
    parse: text,
    fallback: './data',
    takes: 'a folder',
    meaning: 'The database, the objects and the signing keys.',
  }),
  setting('KITSEAL_DATABASE_URL', {
    parse: databaseUrl,
    fallbackText: 'a SQLite file in the data folder',
    takes: '`postgres://USER:PASSWORD@HOST:PORT/DATABASE`',
    meaning: 'PostgreSQL database for records and signing keys, shared by all nodes.',
    secret: true,
  }),
  setting('KITSEAL_OBJECTS', {
    parse: readObjectsLocation,
    fallbackText: '`DATA/objects`',
    takes: 'a folder, or `s3://BUCKET/PREFIX?endpoint=URL&region=NAME&path_style=true`',
    meaning: 'Where evidence and kit files are stored. S3 credentials come from the standard AWS variables.',
  }),
  setting('KITSEAL_LOG_ORIGIN', {
    parse: logOrigin,
    fallbackText: 'host and path of the issuer, and `/log`',
    takes: 'a name such as `kits.example/log`',
    meaning: 'Identifies the transparency log in its checkpoints. Fixed when the log is created.',
  }),
  setting('KITSEAL_LOG_MARK', {
    parse: text,
    fallbackText:
      '`log-mark/` in the bucket if objects are in S3, otherwise `~/.local/state/kitseal/log-marks`',
    takes: 'a folder',
    meaning:
      'Where the service records what its log has signed, to notice when the database is rolled back. Must survive restarts, outside the data folder and backups. Several nodes share one.',
  }),
  setting('KITSEAL_WITNESS_POLICY', {
    parse: text,
    takes: 'a C2SP tlog-policy file with witnesses, their URLs and a quorum',
    meaning:
      'The witnesses that cosign the log. `log` lines are ignored. Without it, the service alone signs its log.',
  }),
  setting('KITSEAL_PROOF', {
    parse: oneOf(['best-effort', 'require']),
    fallback: 'best-effort',
    takes: '`best-effort` or `require`',
    meaning:
      'Whether a kit is issued without the quorum of witnesses or the time-stamp after two seconds, or waits in PASS for both.',
  }),
  setting('KITSEAL_TSA_URL', {
    parse: authorityUrls,
    takes: 'http or https URLs, separated by commas',
    meaning:
      'Time-stamp authorities (RFC 3161), tried in this order. Every kit then contains a time-stamp of its checkpoint, `proofs/time.tsr`.',
  }),
  setting('KITSEAL_TSA_ROOTS', {
    parse: text,
    takes: 'a PEM file with certificates',
    meaning: 'Roots that time-stamps must lead to. Without it, who made a time-stamp is not checked.',
  }),
  setting('KITSEAL_ROLE', {
    parse: oneOf(ROLES),
    fallback: 'all',
    takes: '`all`, `api` or `worker`',
    meaning:
      'What this node does: serve requests (`api`), process jobs (`worker`), or both. A worker serves only /healthz and /readyz, and its metrics.',
  }),
  setting('KITSEAL_ISSUER', {
    parse: issuerUrl,
    fallbackText: '`http://HOST:PORT`',
    takes: 'an http or https URL',
    meaning: 'The `issuer` in receipts. Set it to the public https address before you issue real kits.',
  }),
  setting('KITSEAL_OPEN_INTAKE', {
    parse: onOff,
    fallbackText: '`on` on one’s own machine, else `off`',
    takes: '`on` or `off`',
    meaning:
      'Whether jobs can be created without an API key. One’s own machine: host and issuer are loopback addresses or not set, and `KITSEAL_TRUST_PROXY` is off.',
  }),
  setting('KITSEAL_OPEN_INTAKE_TTL_DAYS', {
    ...range(1, 36_500),
    fallback: '7',
    meaning:
      'Days until a kit created without an API key is EXPIRED. Its files are deleted without an erasure record.',
  }),
  setting('KITSEAL_RATE_LIMIT', {
    parse: rateLimit,
    fallback: 'intake=120,verify=1200',
    takes: '`off`, one number, or `intake=N,verify=N`',
    meaning:
      'Requests per minute and client address; a single number applies to both. `off` also disables the rate limits of plans.',
  }),
  setting('KITSEAL_CORS_ORIGINS', {
    parse: origins,
    takes: 'origins such as `https://app.example`, separated by commas',
    meaning:
      'Websites whose scripts may use the API with an API key, by CORS. Public data can be read from any website.',
  }),
  setting('KITSEAL_TRUST_PROXY', {
    parse: trustProxy,
    fallback: 'off',
    takes: '`off`, a number of proxies, or addresses and networks, separated by commas',
    meaning: 'Which proxies to trust for the client address in `X-Forwarded-For`.',
  }),
  setting('KITSEAL_DRAFT_TTL_HOURS', {
    ...range(1, 8760),
    fallback: '72',
    meaning: 'Hours until an intake job in DRAFT becomes EXPIRED, unless a submission was created for it.',
  }),
  setting('KITSEAL_WORKERS', {
    ...range(1, 64),
    fallbackText: 'one for each core but one, at least 1',
    meaning: 'Threads that examine, seal and verify.',
  }),
  setting('KITSEAL_SESSION_IDLE_MINUTES', {
    ...range(1, 10_080),
    fallback: '120',
    meaning: 'Minutes of inactivity until a console session ends.',
  }),
  setting('KITSEAL_SESSION_HOURS', {
    ...range(1, 8760),
    fallback: '168',
    meaning: 'Hours after which every console session ends.',
  }),
  setting('KITSEAL_OIDC_ISSUER', {
    parse: providerUrl,
    takes: 'an https URL, or http on this machine',
    meaning: 'OpenID Connect provider for signing in to the console. Without it, members use passkeys only.',
  }),
  setting('KITSEAL_OIDC_CLIENT_ID', {
    parse: text,
    takes: 'text',
    meaning:
      'Client ID at the provider. Register `ISSUER/console/api/oidc/callback` there as the redirect URI.',
  }),
  setting('KITSEAL_OIDC_CLIENT_SECRET', {
    parse: text,
    takes: 'text',
    meaning: 'Client secret at the provider.',
    secret: true,
  }),
  setting('KITSEAL_SMTP_URL', {
    parse: mailServer,
    takes: '`smtps://USER:PASSWORD@HOST:465`, `smtp://HOST:587` or `file:FOLDER`',
    meaning:
      'Mail server. `file:` writes mail to a folder, for development. Without it, no mail is sent, and everything works by link.',
    secret: true,
  }),
  setting('KITSEAL_MAIL_FROM', {
    parse: sender,
    takes: 'an address, such as `Kits <kits@example.com>`',
    meaning: 'Sender of mail. Required with KITSEAL_SMTP_URL.',
  }),
  setting('KITSEAL_FEDERATION_ALLOW', {
    parse: networks,
    takes: 'addresses and networks, separated by commas',
    meaning: 'Private addresses at which issuers of CI tokens may be, besides public ones.',
  }),
  setting('KITSEAL_WEBHOOK_ALLOW', {
    parse: networks,
    takes: 'addresses and networks, such as `10.1.2.0/24`, separated by commas',
    meaning: 'Private addresses that webhooks may be sent to, also without https, besides public ones.',
  }),
  setting('KITSEAL_CLAMAV', {
    parse: clamavAddress,
    takes: 'a socket path or `host:port`',
    meaning: 'ClamAV daemon that scans evidence. Without it, reports say that evidence was not scanned.',
  }),
  setting('KITSEAL_MAX_IN_FLIGHT', {
    ...range(1, 100_000),
    fallback: '1000',
    meaning: 'Concurrent requests before more are rejected with 503.',
  }),
  setting('KITSEAL_MIN_FREE_BYTES', {
    ...range(0, 999_999_999_999_999),
    fallbackText: 'the smaller of 1 GiB and 5 %',
    meaning: 'Free space kept on local disks. Below it, uploads are rejected with 507.',
  }),
  setting('KITSEAL_LOG_LEVEL', {
    parse: oneOf(LOG_LEVELS),
    fallback: 'info',
    takes: '`debug`, `info`, `warn`, `error` or `silent`',
    meaning: 'Log level. The log is written to standard error as JSON lines.',
  }),
  setting('KITSEAL_SIGNER', {
    parse: oneOf(['file', 'database', 'pkcs11']),
    fallbackText: '`file`; `database` if KITSEAL_DATABASE_URL is set',
    takes: '`file`, `database` or `pkcs11`',
    meaning: 'Where new signing keys are created and stored.',
  }),
  setting('KITSEAL_KEY_PASSPHRASE', {
    parse: text,
    takes: 'text',
    meaning:
      'Encrypts signing keys, secrets of webhooks and queued mail at rest. Must be the same on every node.',
    secret: true,
  }),
  setting('KITSEAL_PREVIOUS_KEY_PASSPHRASE', {
    parse: text,
    takes: 'text',
    meaning:
      'After a change of KITSEAL_KEY_PASSPHRASE, the former one. What it encrypts is encrypted anew at the next start.',
    secret: true,
  }),
  setting('KITSEAL_PKCS11_MODULE', {
    parse: text,
    takes: 'a file',
    meaning: 'The PKCS#11 library.',
  }),
  setting('KITSEAL_PKCS11_TOKEN', {
    parse: text,
    takes: 'a label',
    meaning: 'The token that holds the keys.',
  }),
  setting('KITSEAL_PKCS11_PIN_FILE', {
    parse: text,
    takes: 'a file',
    meaning: 'The user PIN of the token.',
  }),
] as const

type Row = (typeof SETTINGS)[number]
export type SettingName = Row['name']
type Parsed<R extends Row> = NonNullable<ReturnType<R['parse']>>

/** The value of each setting; undefined if it is not set and has no default. */
export type Values = {
  readonly [R in Row as R['name']]: R extends { readonly fallback: string }
    ? Parsed<R>
    : Parsed<R> | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface ReadSettings {
  readonly values: Values
  readonly isGiven: (name: SettingName) => boolean
}

/** Reads every setting, and adds what is wrong to `problems`: then the values must not be used. A flag takes precedence. */
export function readSettings(env: Environment, flags: Environment, problems: string[]): ReadSettings {
  problems.push(...unknownNames(env))
  const given = new Map<string, string>()
  const values: Record<string, unknown> = {}
  for (const row of SETTINGS as readonly (Setting & { readonly name: SettingName })[]) {
    const { name, fallback, parse } = row
    const value =
      row.secret === true ? secretOf(name, env, problems) : (flags[name] ?? env[name]) || undefined
    if (value !== undefined) given.set(name, value)
    if (value === undefined && fallback === undefined) continue
    values[name] = parse(value ?? fallback ?? '')
    if (values[name] === undefined) problems.push(problemWith(row, value ?? ''))
  }
  return { values: values as unknown as Values, isGiven: (name) => given.has(name) }
}

function unknownNames(env: Environment): readonly string[] {
  const names = [...SETTINGS.map(({ name }) => name), ...SECRET_NAMES.map(secretFileName)]
  const known = new Set<string>([...names, ...COMMAND_LINE_NAMES])
  return Object.keys(env)
    .filter((name) => name.startsWith('KITSEAL_') && !known.has(name))
    .map((name) => `${name} is not a known setting. Remove it or correct its name.`)
}

/** A secret may be in a file, which is read once. */
function secretOf(name: SettingName, env: Environment, problems: string[]): string | undefined {
  try {
    return readSecret(env, name)
  } catch (error) {
    problems.push((error as Error).message)
    return undefined
  }
}

/** Secrets are not quoted. */
function problemWith(row: Setting & { readonly name: SettingName }, value: string): string {
  if (row.secret === true) return `${row.name} is not valid. Expected ${row.takes.replaceAll('`', '')}.`
  return `${row.name} (or ${flagOf(row.name)}) is ${JSON.stringify(redact(value))}. Expected ${row.takes}.`
}

/** Secrets may be pasted into the wrong setting; do not repeat them. */
function redact(value: string): string {
  return value
    .replaceAll(/\/\/[^/?]*@/g, '//…@')
    .replaceAll(/((?:key|secret|token|password)[^=&]*=)[^&]*/gi, '$1…')
}

/** Each may also be in a file: `KITSEAL_KEY_PASSPHRASE_FILE` names it. */
export const SECRET_NAMES: readonly SettingName[] = SETTINGS.filter((row) => 'secret' in row).map(
  ({ name }) => name,
)

/** Settings of the command line, which the service ignores. */
export const COMMAND_LINE_NAMES: readonly string[] = [
  'KITSEAL_API_KEY',
  'KITSEAL_AUDIENCE',
  'KITSEAL_FEDERATION_ID',
  'KITSEAL_ID_TOKEN',
  'KITSEAL_TRUST_STORE',
  'KITSEAL_URL',
  'KITSEAL_WEBHOOK_SECRET',
]

/** `KITSEAL_RATE_LIMIT` is also `--rate-limit`. */
export function flagOf(name: SettingName): string {
  return `--${name.slice('KITSEAL_'.length).toLowerCase().replaceAll('_', '-')}`
}
