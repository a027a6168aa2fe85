import { availableParallelism } from 'node:os'
import { userFolder } from '@kitseal/kit/internal/node'
import { join, resolve } from 'node:path'
import { readAuthorityUrls } from './authority-urls.ts'
import { type Environment, type Given, settingValues, unknownNames } from './environment.ts'
import { LIMITS } from './limits.ts'
import { type MailConfig, readMail } from './mail-settings.ts'
import { readNetworks } from './networks.ts'
import { readObjectsLocation, type ObjectsLocation } from './objects-location.ts'
import {
  clamavAddress,
  dailyLimits,
  type DailyLimits,
  integer,
  listen,
  type Listen,
  logOrigin,
  oneOf,
  onOff,
  rateLimit,
  type RateLimit,
  scrubRate,
  text,
  trustProxy,
} from './parse-setting.ts'
import type { Setting } from './setting.ts'
import { SETTINGS, type SettingName, flagOf } from './settings.ts'
import { readIssuerUrl, readOrigins, readProviderUrl } from './url-settings.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly metrics: MetricsListen
  /** Absolute. */
  readonly dataFolder: string
  /** Undefined: an SQLite file in the data folder. */
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  readonly objects: ObjectsLocation
  readonly role: Role
  /** Undefined if not set: then the service's own address, once the port is known. */
  readonly issuer: string | undefined
  /** The origin of the log, when it is created. */
  readonly logOrigin: string | undefined
  readonly logMark: LogMarkLocation
  readonly proof: ProofConfig
  readonly openIntake: boolean
  /** A day. */
  readonly openIntakeLimits: DailyLimits
  readonly openIntakeTtlDays: number
  readonly rateLimit: RateLimit
  /** Websites whose scripts may use the API with an API key. */
  readonly corsOrigins: readonly string[]
  readonly trustProxy: boolean | number | readonly string[]
  readonly draftTtlHours: number
  readonly workers: number
  /** Address of the ClamAV daemon; undefined if evidence is not scanned. */
  readonly clamav: string | undefined
  /** Read rate of the background scrub; 0 if it is off. */
  readonly scrubBytesPerSecond: number
  readonly orphanGraceHours: number
  readonly leaseSeconds: number
  readonly maxAttempts: number
  readonly maxQueue: number
  readonly maxInFlight: number
  readonly maxInFlightPerAddress: number
  /** Undefined: see `LIMITS.freeSpace`. */
  readonly minFreeBytes: number | undefined
  readonly requestTimeoutSeconds: number
  readonly stopTimeoutSeconds: number
  readonly logLevel: LogLevel
  readonly session: SessionConfig
  /** Undefined if members sign in with passkeys only. */
  readonly oidc: OidcConfig | undefined
  /** Undefined if the service sends no mail. */
  readonly mail: MailConfig | undefined
  /** Addresses and networks that are not public, where issuers of CI tokens may be. */
  readonly federationAllow: readonly string[]
  /** Addresses and networks that webhooks may be sent to although they are private. */
  readonly webhookAllow: readonly string[]
  readonly signer: SignerConfig
  readonly keyPassphrase: string | undefined
  readonly previousKeyPassphrase: string | undefined
}

/** `isGiven`: the operator chose the address, so the service does not start without it. */
export type MetricsListen = Listen & { readonly isGiven: boolean }

/** The folder of the high-water mark. The default is not used if objects are in S3, and undefined without a home folder. */
export type LogMarkLocation =
  | { readonly is: 'given'; readonly folder: string }
  | { readonly is: 'default'; readonly folder: string | undefined }

export interface ProofConfig {
  /** Absolute path of the policy that names the witnesses; undefined if there are none. */
  readonly witnessPolicy: string | undefined
  /** URLs of time-stamp authorities, tried in this order. */
  readonly authorities: readonly string[]
  /** Absolute path of their root certificates. */
  readonly authorityRoots: string | undefined
  /** Whether kits wait until the quorum is met and their checkpoint is time-stamped. */
  readonly isRequired: boolean
  readonly waitMs: number
  /** Between two checkpoints that witnesses or authorities are asked for. */
  readonly intervalMs: number
}
export interface SessionConfig {
  readonly idleMinutes: number
  readonly hours: number
}
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}
export type SignerConfig = { readonly is: 'file' | 'database' } | ({ readonly is: 'pkcs11' } & Pkcs11Config)
export interface Pkcs11Config {
  /** Path of the token's PKCS#11 library. */
  readonly module: string
  /** Label of the token. */
  readonly token: string
  /** Path of the file that holds the user PIN. */
  readonly pinFile: string
}

export const ROLES = ['all', 'api', 'worker'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type ConfigResult =
  | { readonly ok: true; readonly value: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Parses all settings and reports every problem at once. A flag takes precedence over the environment. */
export function readConfig(env: Environment, flags: Environment = {}): ConfigResult {
  const problems = unknownNames(env)
  const given = settingValues(env, flags, problems)
  const read = reader(given, problems)
  const maxInFlight = read('KITSEAL_MAX_IN_FLIGHT', integer(1, 100_000))
  const config: Config = {
    host: read('KITSEAL_HOST', text),
    port: read('KITSEAL_PORT', integer(0, 65_535)),
    metrics: {
      ...read('KITSEAL_METRICS_LISTEN', listen),
      isGiven: given('KITSEAL_METRICS_LISTEN') !== undefined,
    },
    dataFolder: resolve(read('KITSEAL_DATA', text)),
    databaseUrl: given('KITSEAL_DATABASE_URL') === undefined ? undefined : readDatabaseUrl(given, problems),
    databaseConnections: read('KITSEAL_DATABASE_CONNECTIONS', integer(2, 1000)),
    objects: objectsLocation(given, read),
    role: read('KITSEAL_ROLE', oneOf(ROLES)),
    issuer: given('KITSEAL_ISSUER') === undefined ? undefined : read('KITSEAL_ISSUER', readIssuerUrl),
    logOrigin: given('KITSEAL_LOG_ORIGIN') === undefined ? undefined : read('KITSEAL_LOG_ORIGIN', logOrigin),
    logMark: logMarkLocation(given('KITSEAL_LOG_MARK'), env),
    proof: proofConfig(given, read, problems),
    openIntake:
      given('KITSEAL_OPEN_INTAKE') === undefined ? isOwnMachine(given) : read('KITSEAL_OPEN_INTAKE', onOff),
    openIntakeLimits: read('KITSEAL_OPEN_INTAKE_LIMITS', dailyLimits),
    openIntakeTtlDays: read('KITSEAL_OPEN_INTAKE_TTL_DAYS', integer(1, 36_500)),
    rateLimit: read('KITSEAL_RATE_LIMIT', rateLimit),
    corsOrigins: read('KITSEAL_CORS_ORIGINS', readOrigins),
    trustProxy: read('KITSEAL_TRUST_PROXY', trustProxy),
    draftTtlHours: read('KITSEAL_DRAFT_TTL_HOURS', integer(1, 8760)),
    workers:
      given('KITSEAL_WORKERS') === undefined
        ? Math.max(1, availableParallelism() - 1)
        : read('KITSEAL_WORKERS', integer(1, 64)),
    clamav: given('KITSEAL_CLAMAV') === undefined ? undefined : read('KITSEAL_CLAMAV', clamavAddress),
    scrubBytesPerSecond: read('KITSEAL_SCRUB_BYTES_PER_SECOND', scrubRate),
    orphanGraceHours: read('KITSEAL_ORPHAN_GRACE_HOURS', integer(1, 8760)),
    leaseSeconds: read('KITSEAL_LEASE_SECONDS', integer(2, 3600)),
    maxAttempts: read('KITSEAL_MAX_ATTEMPTS', integer(1, 100)),
    maxQueue: read('KITSEAL_MAX_QUEUE', integer(1, 10_000_000)),
    maxInFlight,
    maxInFlightPerAddress:
      given('KITSEAL_MAX_IN_FLIGHT_PER_ADDRESS') === undefined
        ? Math.max(LIMITS.inFlightPerAddress.value, Math.floor(maxInFlight / 10))
        : read('KITSEAL_MAX_IN_FLIGHT_PER_ADDRESS', integer(1, 100_000)),
    minFreeBytes:
      given('KITSEAL_MIN_FREE_BYTES') === undefined
        ? undefined
        : read('KITSEAL_MIN_FREE_BYTES', integer(0, 999_999_999_999_999)),
    requestTimeoutSeconds: read('KITSEAL_REQUEST_TIMEOUT_SECONDS', integer(1, 3600)),
    stopTimeoutSeconds: read('KITSEAL_STOP_TIMEOUT_SECONDS', integer(1, 3600)),
    logLevel: read('KITSEAL_LOG_LEVEL', oneOf(LOG_LEVELS)),
    session: {
      idleMinutes: read('KITSEAL_SESSION_IDLE_MINUTES', integer(1, 10_080)),
      hours: read('KITSEAL_SESSION_HOURS', integer(1, 8760)),
    },
    oidc: oidcConfig(given, read),
    federationAllow:
      given('KITSEAL_FEDERATION_ALLOW') === undefined ? [] : read('KITSEAL_FEDERATION_ALLOW', readNetworks),
    mail: readMail(given('KITSEAL_SMTP_URL'), given('KITSEAL_MAIL_FROM'), problems),
    webhookAllow:
      given('KITSEAL_WEBHOOK_ALLOW') === undefined ? [] : read('KITSEAL_WEBHOOK_ALLOW', readNetworks),
    signer: signerConfig(given, read, problems),
    keyPassphrase: given('KITSEAL_KEY_PASSPHRASE'),
    previousKeyPassphrase: given('KITSEAL_PREVIOUS_KEY_PASSPHRASE'),
  }
  return problems.length === 0 ? { ok: true, value: config } : { ok: false, problems }
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Nobody else can reach the service. Behind a proxy, one on loopback is a public one. */
function isOwnMachine(given: Given): boolean {
  const issuer = given('KITSEAL_ISSUER')
  const hosts = [given('KITSEAL_HOST'), issuer && URL.canParse(issuer) ? new URL(issuer).hostname : issuer]
  const isLocal = hosts.every((host) => host === undefined || LOOPBACK.test(host))
  return isLocal && (given('KITSEAL_TRUST_PROXY') ?? 'off') === 'off'
}

type Read = <T>(name: SettingName, parse: (value: string) => T | undefined) => T

function reader(given: Given, problems: string[]): Read {
  return (name, parse) => {
    const setting: Setting | undefined = SETTINGS.find((row) => row.name === name)
    const value = given(name) ?? setting?.fallback ?? ''
    const parsed = parse(value)
    if (parsed === undefined) problems.push(problemWith(name, value, setting))
    // Invalid values are never used: if there are problems, readConfig returns no config.
    return parsed as NonNullable<typeof parsed>
  }
}

function problemWith(name: SettingName, value: string, setting: Setting | undefined): string {
  const expected = setting?.takes ?? 'another value'
  const flag = setting?.secret === true ? '' : ` (or ${flagOf(name)})`
  if (value === '') return `${name}${flag} is not set. Expected ${expected}.`
  return `${name}${flag} is ${JSON.stringify(redact(value))}. Expected ${expected}.`
}

/** Secrets may be pasted into the wrong setting; do not repeat them. */
function redact(value: string): string {
  return value
    .replaceAll(/\/\/[^/?]*@/g, '//…@')
    .replaceAll(/((?:key|secret|token|password)[^=&]*=)[^&]*/gi, '$1…')
}

function logMarkLocation(given: string | undefined, env: Environment): LogMarkLocation {
  if (given !== undefined) return { is: 'given', folder: resolve(given) }
  const base = userFolder('state', env)
  return { is: 'default', folder: base === undefined ? undefined : join(base, 'kitseal', 'log-marks') }
}

function proofConfig(given: Given, read: Read, problems: string[]): ProofConfig {
  const file = given('KITSEAL_WITNESS_POLICY')
  const isRequired = read('KITSEAL_PROOF', oneOf(['best-effort', 'require'])) === 'require'
  const authorities =
    given('KITSEAL_TSA_URL') === undefined ? [] : (read('KITSEAL_TSA_URL', readAuthorityUrls) ?? [])
  const roots = given('KITSEAL_TSA_ROOTS')
  if (isRequired && file === undefined && given('KITSEAL_TSA_URL') === undefined)
    problems.push(
      'KITSEAL_PROOF is require, but neither KITSEAL_WITNESS_POLICY nor KITSEAL_TSA_URL is set. Set one, or set KITSEAL_PROOF to best-effort.',
    )
  if (roots !== undefined && given('KITSEAL_TSA_URL') === undefined)
    problems.push(
      'KITSEAL_TSA_ROOTS is set, but KITSEAL_TSA_URL is not. Set it, or remove KITSEAL_TSA_ROOTS.',
    )
  return {
    witnessPolicy: file === undefined ? undefined : resolve(file),
    authorities,
    authorityRoots: roots === undefined ? undefined : resolve(roots),
    isRequired,
    waitMs: read('KITSEAL_PROOF_WAIT_MS', integer(0, 60_000)),
    intervalMs: read('KITSEAL_CHECKPOINT_INTERVAL_MS', integer(100, 600_000)),
  }
}

/** The URL contains a password, so problems do not quote it. */
function readDatabaseUrl(given: Given, problems: string[]): string {
  const value = given('KITSEAL_DATABASE_URL') ?? ''
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    problems.push('KITSEAL_DATABASE_URL is not valid. Expected postgres://USER:PASSWORD@HOST:PORT/DATABASE.')
  return value
}

function objectsLocation(given: Given, read: Read): ObjectsLocation {
  const found: ObjectsLocation | undefined =
    given('KITSEAL_OBJECTS') === undefined
      ? { is: 'folder', path: resolve(read('KITSEAL_DATA', text), 'objects') }
      : read('KITSEAL_OBJECTS', readObjectsLocation)
  return found?.is === 'folder' ? { is: 'folder', path: resolve(found.path) } : found
}

/** If one of the three is set, all are required. */
function oidcConfig(given: Given, read: Read): OidcConfig | undefined {
  const names = ['KITSEAL_OIDC_ISSUER', 'KITSEAL_OIDC_CLIENT_ID', 'KITSEAL_OIDC_CLIENT_SECRET'] as const
  if (names.every((name) => given(name) === undefined)) return undefined
  return {
    issuer: read('KITSEAL_OIDC_ISSUER', readProviderUrl),
    clientId: read('KITSEAL_OIDC_CLIENT_ID', text),
    clientSecret: read('KITSEAL_OIDC_CLIENT_SECRET', text),
  }
}

function signerConfig(given: Given, read: Read, problems: string[]): SignerConfig {
  // Nodes that share a database may not share a folder.
  const fallback = given('KITSEAL_DATABASE_URL') === undefined ? 'file' : 'database'
  const is =
    given('KITSEAL_SIGNER') === undefined
      ? fallback
      : read('KITSEAL_SIGNER', oneOf(['file', 'database', 'pkcs11']))
  if (is === 'pkcs11') {
    return {
      is,
      module: read('KITSEAL_PKCS11_MODULE', text),
      token: read('KITSEAL_PKCS11_TOKEN', text),
      pinFile: read('KITSEAL_PKCS11_PIN_FILE', text),
    }
  }
  for (const name of ['KITSEAL_PKCS11_MODULE', 'KITSEAL_PKCS11_TOKEN', 'KITSEAL_PKCS11_PIN_FILE'] as const) {
    if (given(name) !== undefined)
      problems.push(`${name} is set, but KITSEAL_SIGNER is not pkcs11. Set it to pkcs11, or remove ${name}.`)
  }
  return { is }
}
