import { availableParallelism } from 'node:os'
import { userFolder } from '@kitseal/kit/internal/node'
import { join, resolve } from 'node:path'
import { CONSTANTS, type Constants } from './limits.ts'
import type { MailConfig, ObjectsLocation } from './parse.ts'
import {
  type Environment,
  type ReadSettings,
  readSettings,
  type SettingName,
  flagOf,
  SETTINGS,
  type Values,
} from './settings.ts'

export type Config = ReturnType<typeof configOf>

/** `isGiven`: the operator chose the address, so the service does not start without it. */
export type MetricsListen = Config['metrics']

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
export type OidcConfig = NonNullable<ReturnType<typeof oidcConfig>>
export type SignerConfig = { readonly is: 'file' | 'database' } | ({ readonly is: 'pkcs11' } & Pkcs11Config)
export interface Pkcs11Config {
  /** Path of the token's PKCS#11 library. */
  readonly module: string
  /** Label of the token. */
  readonly token: string
  /** Path of the file that holds the user PIN. */
  readonly pinFile: string
}

export type Role = Values['KITSEAL_ROLE']
export type LogLevel = Values['KITSEAL_LOG_LEVEL']

export type ConfigResult =
  | { readonly ok: true; readonly value: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Parses all settings and reports every problem at once. A flag takes precedence over the environment. */
export function readConfig(
  env: Environment,
  flags: Environment = {},
  constants: Constants = CONSTANTS,
): ConfigResult {
  const problems: string[] = []
  const value = configOf(readSettings(env, flags, problems), constants, env, problems)
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
}

function configOf(settings: ReadSettings, constants: Constants, env: Environment, problems: string[]) {
  const { values, isGiven } = settings
  const { inFlightPerAddress, openIntakeJobs, ...fixed } = constants
  const maxInFlight = values.KITSEAL_MAX_IN_FLIGHT
  const unlimited = { perAddress: Infinity, inAll: Infinity }
  return {
    ...fixed,
    host: values.KITSEAL_HOST,
    port: values.KITSEAL_PORT,
    metrics: { ...values.KITSEAL_METRICS_LISTEN, isGiven: isGiven('KITSEAL_METRICS_LISTEN') },
    /** Absolute. */
    dataFolder: resolve(values.KITSEAL_DATA),
    /** Undefined: an SQLite file in the data folder. */
    databaseUrl: values.KITSEAL_DATABASE_URL,
    objects: objectsLocation(values),
    role: values.KITSEAL_ROLE,
    /** Undefined if not set: then the service's own address, once the port is known. */
    issuer: values.KITSEAL_ISSUER,
    /** The origin of the log, when it is created. */
    logOrigin: values.KITSEAL_LOG_ORIGIN,
    logMark: logMarkLocation(values.KITSEAL_LOG_MARK, env),
    proof: proofConfig(values, constants, problems),
    openIntake: values.KITSEAL_OPEN_INTAKE ?? isOwnMachine(settings),
    /** A day. */
    openIntakeLimits: values.KITSEAL_RATE_LIMIT?.is === 'off' ? unlimited : openIntakeJobs,
    openIntakeTtlDays: values.KITSEAL_OPEN_INTAKE_TTL_DAYS,
    rateLimit: values.KITSEAL_RATE_LIMIT,
    /** Websites whose scripts may use the API with an API key. */
    corsOrigins: values.KITSEAL_CORS_ORIGINS ?? [],
    trustProxy: values.KITSEAL_TRUST_PROXY,
    draftTtlHours: values.KITSEAL_DRAFT_TTL_HOURS,
    workers: values.KITSEAL_WORKERS ?? Math.max(1, availableParallelism() - 1),
    /** Address of the ClamAV daemon; undefined if evidence is not scanned. */
    clamav: values.KITSEAL_CLAMAV,
    maxInFlight,
    maxInFlightPerAddress: Math.max(inFlightPerAddress, Math.floor(maxInFlight / 10)),
    /** Undefined: see `LIMITS.freeSpace`. */
    minFreeBytes: values.KITSEAL_MIN_FREE_BYTES,
    logLevel: values.KITSEAL_LOG_LEVEL,
    session: { idleMinutes: values.KITSEAL_SESSION_IDLE_MINUTES, hours: values.KITSEAL_SESSION_HOURS },
    /** Undefined if members sign in with passkeys only. */
    oidc: oidcConfig(settings, problems),
    /** Addresses and networks that are not public, where issuers of CI tokens may be. */
    federationAllow: values.KITSEAL_FEDERATION_ALLOW ?? [],
    /** Undefined if the service sends no mail. */
    mail: mailConfig(settings, problems),
    /** Addresses and networks that webhooks may be sent to although they are private. */
    webhookAllow: values.KITSEAL_WEBHOOK_ALLOW ?? [],
    signer: signerConfig(settings, problems),
    keyPassphrase: values.KITSEAL_KEY_PASSPHRASE,
    previousKeyPassphrase: values.KITSEAL_PREVIOUS_KEY_PASSPHRASE,
  } as const
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Nobody else can reach the service. Behind a proxy, one on loopback is a public one. */
function isOwnMachine({ values, isGiven }: ReadSettings): boolean {
  const issuer = values.KITSEAL_ISSUER === undefined ? undefined : new URL(values.KITSEAL_ISSUER).hostname
  const host = isGiven('KITSEAL_HOST') ? values.KITSEAL_HOST : undefined
  const isLocal = [host, issuer].every((name) => name === undefined || LOOPBACK.test(name))
  return isLocal && values.KITSEAL_TRUST_PROXY === false
}

function logMarkLocation(given: string | undefined, env: Environment): LogMarkLocation {
  if (given !== undefined) return { is: 'given', folder: resolve(given) }
  const base = userFolder('state', env)
  return { is: 'default', folder: base === undefined ? undefined : join(base, 'kitseal', 'log-marks') }
}

function proofConfig(values: Values, { proofWaitMs, checkpointIntervalMs }: Constants, problems: string[]) {
  const { KITSEAL_WITNESS_POLICY: policy, KITSEAL_TSA_URL: authorities, KITSEAL_TSA_ROOTS: roots } = values
  const isRequired = values.KITSEAL_PROOF === 'require'
  if (
    isRequired &&
    policy === undefined &&
    authorities === undefined &&
    !problems.some((each) => each.startsWith('KITSEAL_TSA_URL'))
  )
    problems.push(
      'KITSEAL_PROOF is require, but neither KITSEAL_WITNESS_POLICY nor KITSEAL_TSA_URL is set. Set one, or set KITSEAL_PROOF to best-effort.',
    )
  if (roots !== undefined && authorities === undefined)
    problems.push(
      'KITSEAL_TSA_ROOTS is set, but KITSEAL_TSA_URL is not. Set it, or remove KITSEAL_TSA_ROOTS.',
    )
  return {
    witnessPolicy: policy === undefined ? undefined : resolve(policy),
    authorities: authorities ?? [],
    authorityRoots: roots === undefined ? undefined : resolve(roots),
    isRequired,
    waitMs: proofWaitMs,
    intervalMs: checkpointIntervalMs,
  }
}

function objectsLocation({ KITSEAL_OBJECTS: given, KITSEAL_DATA: data }: Values): ObjectsLocation {
  if (given === undefined) return { is: 'folder', path: resolve(data, 'objects') }
  return given.is === 'folder' ? { is: 'folder', path: resolve(given.path) } : given
}

/** The values of settings that are only set together. Adds those that are missing to `problems`. */
function together<const N extends SettingName>(
  { values, isGiven }: ReadSettings,
  names: readonly N[],
  problems: string[],
): { readonly [Name in N]: NonNullable<Values[Name]> } {
  for (const { name, takes, ...row } of SETTINGS.filter((each) =>
    (names as readonly string[]).includes(each.name),
  ))
    if (!isGiven(name))
      problems.push(`${name}${'secret' in row ? '' : ` (or ${flagOf(name)})`} is not set. Expected ${takes}.`)
  return values as { readonly [Name in N]: NonNullable<Values[Name]> }
}

function oidcConfig(settings: ReadSettings, problems: string[]) {
  const names = ['KITSEAL_OIDC_ISSUER', 'KITSEAL_OIDC_CLIENT_ID', 'KITSEAL_OIDC_CLIENT_SECRET'] as const
  if (!names.some(settings.isGiven)) return undefined
  const set = together(settings, names, problems)
  return {
    issuer: set.KITSEAL_OIDC_ISSUER,
    clientId: set.KITSEAL_OIDC_CLIENT_ID,
    clientSecret: set.KITSEAL_OIDC_CLIENT_SECRET,
  }
}

function mailConfig(settings: ReadSettings, problems: string[]): MailConfig | undefined {
  const names = ['KITSEAL_SMTP_URL', 'KITSEAL_MAIL_FROM'] as const
  if (!names.some(settings.isGiven)) return undefined
  const set = together(settings, names, problems)
  return { server: set.KITSEAL_SMTP_URL, from: set.KITSEAL_MAIL_FROM }
}

function signerConfig(settings: ReadSettings, problems: string[]): SignerConfig {
  const { values, isGiven } = settings
  const names = ['KITSEAL_PKCS11_MODULE', 'KITSEAL_PKCS11_TOKEN', 'KITSEAL_PKCS11_PIN_FILE'] as const
  // Nodes that share a database may not share a folder.
  const is = values.KITSEAL_SIGNER ?? (isGiven('KITSEAL_DATABASE_URL') ? 'database' : 'file')
  if (is === 'pkcs11') {
    const set = together(settings, names, problems)
    return {
      is,
      module: set.KITSEAL_PKCS11_MODULE,
      token: set.KITSEAL_PKCS11_TOKEN,
      pinFile: set.KITSEAL_PKCS11_PIN_FILE,
    }
  }
  for (const name of names.filter(isGiven))
    problems.push(`${name} is set, but KITSEAL_SIGNER is not pkcs11. Set it to pkcs11, or remove ${name}.`)
  return { is }
}
