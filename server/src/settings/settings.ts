/** Every setting of the service: parsed by config.ts, shown by `kitseal serve --help` and docs/reference/settings.md. */
import { LIMIT_SETTINGS } from './limit-settings.ts'
import type { Setting } from './setting.ts'

export const SETTINGS = [
  {
    name: 'KITSEAL_HOST',
    fallback: '127.0.0.1',
    takes: 'an address or host name',
    meaning: 'Address to listen on. `0.0.0.0` means every interface.',
  },
  {
    name: 'KITSEAL_PORT',
    fallback: '8080',
    takes: '0 to 65535',
    meaning: 'Port to listen on. 0 picks a free port.',
  },
  {
    name: 'KITSEAL_METRICS_LISTEN',
    fallback: '127.0.0.1:9464',
    takes: '`off`, or an address and port, such as `[::1]:9464`',
    meaning:
      'Where `/metrics` is served, without a key. If the default is taken, the node runs without and warns.',
  },
  {
    name: 'KITSEAL_DATA',
    fallback: './data',
    takes: 'a folder',
    meaning: 'The database, the objects and the signing keys.',
  },
  {
    name: 'KITSEAL_DATABASE_URL',
    fallback: undefined,
    fallbackText: 'a SQLite file in the data folder',
    takes: '`postgres://USER:PASSWORD@HOST:PORT/DATABASE`',
    meaning: 'PostgreSQL database for records and signing keys, shared by all nodes.',
    secret: true,
  },
  {
    name: 'KITSEAL_DATABASE_CONNECTIONS',
    fallback: '10',
    takes: '2 to 1000',
    meaning: 'PostgreSQL connections per node for requests. Notifications use 1 more.',
  },
  {
    name: 'KITSEAL_OBJECTS',
    fallback: undefined,
    fallbackText: '`DATA/objects`',
    takes: 'a folder, or `s3://BUCKET/PREFIX?endpoint=URL&region=NAME&path_style=true`',
    meaning: 'Where evidence and kit files are stored. S3 credentials come from the standard AWS variables.',
  },
  {
    name: 'KITSEAL_LOG_ORIGIN',
    fallback: undefined,
    fallbackText: 'host and path of the issuer, and `/log`',
    takes: 'a name such as `kits.example/log`',
    meaning: 'Identifies the transparency log in its checkpoints. Fixed when the log is created.',
  },
  {
    name: 'KITSEAL_LOG_MARK',
    fallback: undefined,
    fallbackText:
      '`log-mark/` in the bucket if objects are in S3, otherwise `~/.local/state/kitseal/log-marks`',
    takes: 'a folder',
    meaning:
      'Where the service records what its log has signed, to notice when the database is rolled back. Must survive restarts, outside the data folder and backups. Several nodes share one.',
  },
  {
    name: 'KITSEAL_WITNESS_POLICY',
    fallback: undefined,
    takes: 'a C2SP tlog-policy file with witnesses, their URLs and a quorum',
    meaning:
      'The witnesses that cosign the log. `log` lines are ignored. Without it, the service alone signs its log.',
  },
  {
    name: 'KITSEAL_PROOF',
    fallback: 'best-effort',
    takes: '`best-effort` or `require`',
    meaning:
      'Whether a kit is issued without the quorum of witnesses or the time-stamp after KITSEAL_PROOF_WAIT_MS, or waits in PASS for both.',
  },
  {
    name: 'KITSEAL_PROOF_WAIT_MS',
    fallback: '2000',
    takes: '0 to 60000',
    meaning: 'Milliseconds to wait for the quorum of witnesses and the time-stamp.',
  },
  {
    name: 'KITSEAL_CHECKPOINT_INTERVAL_MS',
    fallback: '1000',
    takes: '100 to 600000',
    meaning:
      'Milliseconds between the checkpoints that witnesses or a time-stamp authority are asked for. Kits wait for the next one.',
  },
  {
    name: 'KITSEAL_TSA_URL',
    fallback: undefined,
    takes: 'http or https URLs, separated by commas',
    meaning:
      'Time-stamp authorities (RFC 3161), tried in this order. Every kit then contains a time-stamp of its checkpoint, `proofs/time.tsr`.',
  },
  {
    name: 'KITSEAL_TSA_ROOTS',
    fallback: undefined,
    takes: 'a PEM file with certificates',
    meaning: 'Roots that time-stamps must lead to. Without it, who made a time-stamp is not checked.',
  },
  {
    name: 'KITSEAL_ROLE',
    fallback: 'all',
    takes: '`all`, `api` or `worker`',
    meaning:
      'What this node does: serve requests (`api`), process jobs (`worker`), or both. A worker serves only /healthz and /readyz, and its metrics.',
  },
  {
    name: 'KITSEAL_ISSUER',
    fallback: undefined,
    fallbackText: '`http://HOST:PORT`',
    takes: 'an http or https URL',
    meaning: 'The `issuer` in receipts. Set it to the public https address before you issue real kits.',
  },
  {
    name: 'KITSEAL_OPEN_INTAKE',
    fallback: undefined,
    fallbackText: '`on` on one’s own machine, else `off`',
    takes: '`on` or `off`',
    meaning:
      'Whether jobs can be created without an API key. One’s own machine: host and issuer are loopback addresses or not set, and `KITSEAL_TRUST_PROXY` is off.',
  },
  {
    name: 'KITSEAL_OPEN_INTAKE_LIMITS',
    fallback: '200,5000',
    takes: '`off`, or two numbers',
    meaning: 'Jobs a day (UTC) without an API key, by one address and by all together.',
  },
  {
    name: 'KITSEAL_OPEN_INTAKE_TTL_DAYS',
    fallback: '7',
    takes: '1 to 36500',
    meaning:
      'Days until a kit created without an API key is EXPIRED. Its files are deleted without an erasure record.',
  },
  {
    name: 'KITSEAL_RATE_LIMIT',
    fallback: 'intake=120,verify=1200',
    takes: '`off`, one number, or `intake=N,verify=N`',
    meaning:
      'Requests per minute and client address; a single number applies to both. `off` also disables the rate limits of plans.',
  },
  {
    name: 'KITSEAL_CORS_ORIGINS',
    fallback: undefined,
    takes: 'origins such as `https://app.example`, separated by commas',
    meaning:
      'Websites whose scripts may use the API with an API key, by CORS. Public data can be read from any website.',
  },
  {
    name: 'KITSEAL_TRUST_PROXY',
    fallback: 'off',
    takes: '`off`, a number of proxies, or addresses and networks, separated by commas',
    meaning: 'Which proxies to trust for the client address in `X-Forwarded-For`.',
  },
  {
    name: 'KITSEAL_DRAFT_TTL_HOURS',
    fallback: '72',
    takes: '1 to 8760',
    meaning: 'Hours until a draft without evidence becomes EXPIRED.',
  },
  {
    name: 'KITSEAL_WORKERS',
    fallback: undefined,
    fallbackText: 'one for each core but one, at least 1',
    takes: '1 to 64',
    meaning: 'Threads that examine, seal and verify.',
  },
  {
    name: 'KITSEAL_SESSION_IDLE_MINUTES',
    fallback: '120',
    takes: '1 to 10080',
    meaning: 'Minutes of inactivity until a console session ends.',
  },
  {
    name: 'KITSEAL_SESSION_HOURS',
    fallback: '168',
    takes: '1 to 8760',
    meaning: 'Hours after which every console session ends.',
  },
  {
    name: 'KITSEAL_OIDC_ISSUER',
    fallback: undefined,
    takes: 'an https URL, or http on this machine',
    meaning: 'OpenID Connect provider for signing in to the console. Without it, members use passkeys only.',
  },
  {
    name: 'KITSEAL_OIDC_CLIENT_ID',
    fallback: undefined,
    takes: 'text',
    meaning:
      'Client ID at the provider. Register `ISSUER/console/api/oidc/callback` there as the redirect URI.',
  },
  {
    name: 'KITSEAL_OIDC_CLIENT_SECRET',
    fallback: undefined,
    takes: 'text',
    meaning: 'Client secret at the provider.',
    secret: true,
  },
  {
    name: 'KITSEAL_SMTP_URL',
    fallback: undefined,
    takes: '`smtps://USER:PASSWORD@HOST:465`, `smtp://HOST:587` or `file:FOLDER`',
    meaning:
      'Mail server. `file:` writes mail to a folder, for development. Without it, no mail is sent, and everything works by link.',
    secret: true,
  },
  {
    name: 'KITSEAL_MAIL_FROM',
    fallback: undefined,
    takes: 'an address, such as `Kits <kits@example.com>`',
    meaning: 'Sender of mail. Required with KITSEAL_SMTP_URL.',
  },
  {
    name: 'KITSEAL_FEDERATION_ALLOW',
    fallback: undefined,
    takes: 'addresses and networks, separated by commas',
    meaning: 'Private addresses at which issuers of CI tokens may be, besides public ones.',
  },
  {
    name: 'KITSEAL_WEBHOOK_ALLOW',
    fallback: undefined,
    takes: 'addresses and networks, such as `10.1.2.0/24`, separated by commas',
    meaning: 'Private addresses that webhooks may be sent to, also without https, besides public ones.',
  },
  {
    name: 'KITSEAL_CLAMAV',
    fallback: undefined,
    takes: 'a socket path or `host:port`',
    meaning: 'ClamAV daemon that scans evidence. Without it, reports say that evidence was not scanned.',
  },
  {
    name: 'KITSEAL_SCRUB_BYTES_PER_SECOND',
    fallback: '2097152',
    takes: '`off`, or 1024 to 999999999',
    meaning: 'Read rate of the background scrub, which hashes all stored objects again, at most once a day.',
  },
  {
    name: 'KITSEAL_ORPHAN_GRACE_HOURS',
    fallback: '24',
    takes: '1 to 8760',
    meaning: 'Hours until an object that no record refers to is deleted.',
  },
  ...LIMIT_SETTINGS,
  {
    name: 'KITSEAL_LOG_LEVEL',
    fallback: 'info',
    takes: '`debug`, `info`, `warn`, `error` or `silent`',
    meaning: 'Log level. The log is written to standard error as JSON lines.',
  },
  {
    name: 'KITSEAL_SIGNER',
    fallback: undefined,
    fallbackText: '`file`; `database` if KITSEAL_DATABASE_URL is set',
    takes: '`file`, `database` or `pkcs11`',
    meaning: 'Where new signing keys are created and stored.',
  },
  {
    name: 'KITSEAL_KEY_PASSPHRASE',
    fallback: undefined,
    takes: 'text',
    meaning:
      'Encrypts signing keys, secrets of webhooks and queued mail at rest. Must be the same on every node.',
    secret: true,
  },
  {
    name: 'KITSEAL_PREVIOUS_KEY_PASSPHRASE',
    fallback: undefined,
    takes: 'text',
    meaning:
      'After a change of KITSEAL_KEY_PASSPHRASE, the former one. What it encrypts is encrypted anew at the next start.',
    secret: true,
  },
  {
    name: 'KITSEAL_PKCS11_MODULE',
    fallback: undefined,
    takes: 'a file',
    meaning: 'The PKCS#11 library.',
  },
  {
    name: 'KITSEAL_PKCS11_TOKEN',
    fallback: undefined,
    takes: 'a label',
    meaning: 'The token that holds the keys.',
  },
  {
    name: 'KITSEAL_PKCS11_PIN_FILE',
    fallback: undefined,
    takes: 'a file',
    meaning: 'The user PIN of the token.',
  },
] as const satisfies readonly Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']

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
  'KITSEAL_NODE',
  'KITSEAL_TRUST_STORE',
  'KITSEAL_URL',
  'KITSEAL_WEBHOOK_SECRET',
]

/** `KITSEAL_RATE_LIMIT` is also `--rate-limit`. */
export function flagOf(name: SettingName): string {
  return `--${name.slice('KITSEAL_'.length).toLowerCase().replaceAll('_', '-')}`
}
