/** Every setting of the service, once: read by config.ts, shown by `kitseal serve --help` and docs/reference/settings.md. */

export interface Setting {
  readonly name: `KITSEAL_${string}`
  /** As written in the environment; undefined where there is none. */
  readonly fallback: string | undefined
  /** How the fallback is described where it is not a plain value. */
  readonly fallbackText?: string
  readonly takes: string
  readonly meaning: string
  /** A secret has no flag: a command line can be read by every user of the machine. */
  readonly secret?: true
}

export const SETTINGS = [
  {
    name: 'KITSEAL_HOST',
    fallback: '127.0.0.1',
    takes: 'an address or host name',
    meaning: 'Where the service listens. `0.0.0.0` is every interface.',
  },
  {
    name: 'KITSEAL_PORT',
    fallback: '8080',
    takes: '0 to 65535',
    meaning: 'The port it listens on; 0 lets the system choose a free one.',
  },
  {
    name: 'KITSEAL_DATA',
    fallback: './data',
    takes: 'a folder',
    meaning: 'Where everything is kept: the database, the objects, the signing keys.',
  },
  {
    name: 'KITSEAL_DATABASE_URL',
    fallback: undefined,
    fallbackText: 'a SQLite file in the data folder',
    takes: '`postgres://USER:PASSWORD@HOST:PORT/DATABASE`',
    meaning:
      'The PostgreSQL database that holds the records and the signing keys, shared by every node. Without it one node keeps them in its data folder.',
    secret: true,
  },
  {
    name: 'KITSEAL_DATABASE_CONNECTIONS',
    fallback: '10',
    takes: '2 to 1000',
    meaning:
      'How many connections to PostgreSQL a node opens for requests. It opens 2 more than KITSEAL_WORKERS for work, and 1 to listen.',
  },
  {
    name: 'KITSEAL_OBJECTS',
    fallback: undefined,
    fallbackText: '`DATA/objects`',
    takes: 'a folder, or `s3://BUCKET/PREFIX?endpoint=URL&region=NAME&path_style=true`',
    meaning:
      'Where evidence and the content of kits lie. For S3 the credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their kind, never from here.',
  },
  {
    name: 'KITSEAL_ROLE',
    fallback: 'all',
    takes: '`all`, `api` or `worker`',
    meaning:
      'What this node does: answer requests, work on jobs, or both. A worker answers /healthz, /readyz and /metrics alone.',
  },
  {
    name: 'KITSEAL_ISSUER',
    fallback: undefined,
    fallbackText: '`http://HOST:PORT`',
    takes: 'an http or https URL',
    meaning:
      'The name that receipts carry as `issuer`. Set it to the public https address before you issue anything that lasts.',
  },
  {
    name: 'KITSEAL_OPEN_INTAKE',
    fallback: 'on',
    takes: '`on` or `off`',
    meaning: 'Whether a job can be created without an API key.',
  },
  {
    name: 'KITSEAL_RATE_LIMIT',
    fallback: 'intake=120,verify=1200',
    takes: '`off`, one number, or `intake=N,verify=N`',
    meaning:
      'Requests per minute and client address; one number is for both. `off` lifts the rates of plans too.',
  },
  {
    name: 'KITSEAL_TRUST_PROXY',
    fallback: 'off',
    takes: '`off`, a number of proxies, or addresses and networks with commas between',
    meaning: "Whose `X-Forwarded-For` is believed when a client's address is told.",
  },
  {
    name: 'KITSEAL_DRAFT_TTL_HOURS',
    fallback: '72',
    takes: '1 to 8760',
    meaning: 'How long a draft waits for evidence before it is EXPIRED.',
  },
  {
    name: 'KITSEAL_WORKERS',
    fallback: '2',
    takes: '1 to 64',
    meaning: 'How many jobs are worked on at once.',
  },
  {
    name: 'KITSEAL_SESSION_IDLE_MINUTES',
    fallback: '120',
    takes: '1 to 10080',
    meaning: 'How long a session of the console may go unused before it ends.',
  },
  {
    name: 'KITSEAL_SESSION_HOURS',
    fallback: '168',
    takes: '1 to 8760',
    meaning: 'How long a session of the console lasts at most.',
  },
  {
    name: 'KITSEAL_OIDC_ISSUER',
    fallback: undefined,
    takes: 'an https URL, or http on this machine',
    meaning:
      'The OpenID Connect provider that members of the console may sign in with. Without it they use passkeys alone.',
  },
  {
    name: 'KITSEAL_OIDC_CLIENT_ID',
    fallback: undefined,
    takes: 'text',
    meaning:
      'What the provider calls this service. Its redirect address there is `ISSUER/console/api/oidc/callback`.',
  },
  {
    name: 'KITSEAL_OIDC_CLIENT_SECRET',
    fallback: undefined,
    takes: 'text',
    meaning: 'The secret that the provider gave for it.',
    secret: true,
  },
  {
    name: 'KITSEAL_CLAMAV',
    fallback: undefined,
    takes: 'the path of a socket, or `host:port`',
    meaning: 'The ClamAV daemon that scans evidence. Without it evidence is not scanned, and reports say so.',
  },
  {
    name: 'KITSEAL_SCRUB_BYTES_PER_SECOND',
    fallback: '2097152',
    takes: '`off`, or 1024 to 999999999',
    meaning:
      'How fast everything stored is read and hashed again in the background, once a day at most, by one node at a time.',
  },
  {
    name: 'KITSEAL_ORPHAN_GRACE_HOURS',
    fallback: '24',
    takes: '1 to 8760',
    meaning: 'How old an object is, at least, before it is removed because no record names it.',
  },
  {
    name: 'KITSEAL_LEASE_SECONDS',
    fallback: '30',
    takes: '2 to 3600',
    meaning: 'How long a silent worker keeps a job before another takes it over.',
  },
  {
    name: 'KITSEAL_MAX_ATTEMPTS',
    fallback: '5',
    takes: '1 to 100',
    meaning: 'How often a job is begun before it ends in FAIL.',
  },
  {
    name: 'KITSEAL_MAX_QUEUE',
    fallback: '10000',
    takes: '1 to 10000000',
    meaning: 'How many jobs may wait before new ones are answered 503.',
  },
  {
    name: 'KITSEAL_MAX_IN_FLIGHT',
    fallback: '1000',
    takes: '1 to 100000',
    meaning: 'How many requests are served at once before more are answered 503.',
  },
  {
    name: 'KITSEAL_REQUEST_TIMEOUT_SECONDS',
    fallback: '30',
    takes: '1 to 3600',
    meaning: 'How long a request may take to arrive; an upload, how long it may stay silent.',
  },
  {
    name: 'KITSEAL_STOP_TIMEOUT_SECONDS',
    fallback: '30',
    takes: '1 to 3600',
    meaning: 'How long a stop waits for requests and jobs in hand.',
  },
  {
    name: 'KITSEAL_LOG_LEVEL',
    fallback: 'info',
    takes: '`debug`, `info`, `warn`, `error` or `silent`',
    meaning: 'How much is logged (JSON lines on standard error).',
  },
  {
    name: 'KITSEAL_SIGNER',
    fallback: undefined,
    fallbackText: '`file`; `database` where KITSEAL_DATABASE_URL is set',
    takes: '`file`, `database` or `pkcs11`',
    meaning: 'Where new signing keys are made and kept.',
  },
  {
    name: 'KITSEAL_KEY_PASSPHRASE',
    fallback: undefined,
    takes: 'text',
    meaning: 'Encrypts signing keys in files and in the database, at rest. The same at every node.',
    secret: true,
  },
  {
    name: 'KITSEAL_PKCS11_MODULE',
    fallback: undefined,
    takes: 'a file',
    meaning: 'The PKCS#11 library of the token.',
  },
  {
    name: 'KITSEAL_PKCS11_TOKEN',
    fallback: undefined,
    takes: 'a label',
    meaning: 'Which token of the library holds the keys.',
  },
  {
    name: 'KITSEAL_PKCS11_PIN_FILE',
    fallback: undefined,
    takes: 'a file',
    meaning: 'The file that holds the PIN of the token.',
  },
] as const satisfies readonly Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']

/** Names that belong to the command line: known, and nothing to the service. */
export const COMMAND_LINE_NAMES: readonly string[] = ['KITSEAL_API_KEY', 'KITSEAL_TRUST_STORE', 'KITSEAL_URL']

/** `KITSEAL_RATE_LIMIT` is also `--rate-limit`. */
export function flagOf(name: SettingName): string {
  return `--${name.slice('KITSEAL_'.length).toLowerCase().replaceAll('_', '-')}`
}
