// What a setting may be. Each returns undefined for anything else.
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export type RateLimit =
  | { readonly is: 'off' }
  | { readonly is: 'on'; readonly intakePerMinute: number; readonly verifyPerMinute: number }

export const text = (value: string): string | undefined => (value === '' ? undefined : value)

export const integer =
  (least: number, most: number) =>
  (value: string): number | undefined => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? number : undefined
  }

export const oneOf =
  <const T extends string>(values: readonly T[]) =>
  (value: string): T | undefined =>
    values.find((known) => known === value)

export const onOff = (value: string): boolean | undefined =>
  value === 'on' ? true : value === 'off' ? false : undefined

/** As in checkpoints: host and path, without a scheme, white space or plus sign. */
export const logOrigin = (value: string): string | undefined =>
  value.length <= 255 && LOG_ORIGIN.test(value) ? value : undefined
const LOG_ORIGIN = /^[^+\p{White_Space}:]+(:[0-9]+)?(\/[^+\p{White_Space}]*[^+\p{White_Space}/])?$/u

export function rateLimit(value: string): RateLimit | undefined {
  if (value === 'off') return { is: 'off' }
  const perMinute = integer(1, 1_000_000)
  const both = perMinute(value)
  if (both !== undefined) return { is: 'on', intakePerMinute: both, verifyPerMinute: both }
  const parts = new Map(
    value.split(',').map((part) => part.split('=', 2).map((side) => side.trim()) as [string, string]),
  )
  const intake = perMinute(parts.get('intake') ?? '')
  const verify = perMinute(parts.get('verify') ?? '')
  if (intake === undefined || verify === undefined || value.split(',').length !== 2) return undefined
  return { is: 'on', intakePerMinute: intake, verifyPerMinute: verify }
}

export function trustProxy(value: string): boolean | number | readonly string[] | undefined {
  if (value === 'off') return false
  const hops = integer(1, 16)(value)
  if (hops !== undefined) return hops
  return networks(value)
}

/** A socket path contains a slash; anything else is host:port. */
export function clamavAddress(value: string): string | undefined {
  if (value.includes('/')) return value
  const [, port = ''] = /^[^:]+:(\d+)$/.exec(value) ?? /^\[[0-9a-fA-F:.]+\]:(\d+)$/.exec(value) ?? []
  return integer(1, 65_535)(port) === undefined ? undefined : value
}

export type Listen =
  | { readonly is: 'off' }
  | { readonly is: 'on'; readonly host: string; readonly port: number }

export function listen(value: string): Listen | undefined {
  if (value === 'off') return { is: 'off' }
  const [, six, other, digits = ''] = /^(?:\[([0-9a-f:.]+)\]|([^[\]:/\s]+)):(\d+)$/i.exec(value) ?? []
  const port = integer(0, 65_535)(digits)
  const host = six ?? other
  return port === undefined || host === undefined ? undefined : { is: 'on', host, port }
}

/** A URL with one of these protocols. A plain one has no user, password or fragment. */
function urlOf(value: string, protocols: RegExp, isPlain = true): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isBare = url?.username === '' && url.password === '' && url.hash === ''
  return url !== undefined && protocols.test(url.protocol) && (isBare || !isPlain) ? url : undefined
}

const HTTP = /^https?:$/

export const databaseUrl = (value: string): string | undefined =>
  (urlOf(value, /^postgres(ql)?:$/, false)?.pathname ?? '').length >= 2 ? value : undefined

/** Addresses and networks such as `10.0.0.0/8`, separated by commas. Undefined if one is not valid. */
export function networks(value: string): readonly string[] | undefined {
  const all = value.split(',').map((part) => part.trim())
  return all.every(isNetwork) ? all : undefined
}

function isNetwork(network: string): boolean {
  const [address = '', bits, ...more] = network.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}

/** Verifiers compare issuers as text, so there is one spelling: no trailing slash, query or user. */
export const issuerUrl = (value: string): string | undefined =>
  value.length <= 1000 && urlOf(value, HTTP)?.search === '' ? value.replace(/\/+$/, '') : undefined

/** An OpenID Connect provider. */
export function providerUrl(value: string): string | undefined {
  const url = urlOf(value, HTTP, false)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '')
  return url?.protocol === 'https:' || isLocal ? value : undefined
}

/** Origins as browsers send them, separated by commas. `null` and `*` are none: they would let in any website. */
export function origins(value: string): readonly string[] | undefined {
  const all = value === '' ? [] : value.split(',').map((part) => part.trim())
  return all.every(isOrigin) ? all : undefined
}

const isOrigin = (value: string): boolean => urlOf(value, HTTP)?.origin === value

/** URLs of time-stamp authorities, separated by commas; undefined if one is not valid, or appears twice. */
export function authorityUrls(value: string): readonly string[] | undefined {
  const urls = value.split(',').map((part) => part.trim())
  const isValid = urls.every((url) => urlOf(url, HTTP) !== undefined)
  return isValid && new Set(urls).size === urls.length ? urls : undefined
}

export interface MailConfig {
  readonly server: MailServer
  /** `Kits <kits@example.com>` */
  readonly from: string
}

export type MailServer =
  | { readonly is: 'smtp'; readonly url: string }
  /** For development: mail is written to files. Absolute. */
  | { readonly is: 'folder'; readonly path: string }

export function mailServer(value: string): MailServer | undefined {
  if (value.startsWith('file:')) {
    const path = value.slice('file:'.length)
    return path === '' ? undefined : { is: 'folder', path: resolve(path) }
  }
  const { hostname = '' } = urlOf(value, /^smtps?:$/, false) ?? {}
  return hostname === '' ? undefined : { is: 'smtp', url: value }
}

const ADDRESS = '[^\\s\\p{C}<>@,;:"]+@[^\\s\\p{C}<>@,;:"]+'
export const sender = (value: string): string | undefined => (SENDER.test(value) ? value : undefined)

/** `kits@example.com`, or `Kits <kits@example.com>`. */
const SENDER = new RegExp(`^(?:[^<>@,;:"\\p{C}]+ <${ADDRESS}>|${ADDRESS})$`, 'u')

/** An S3 bucket. Contains no secrets: credentials come from the usual AWS environment variables. */
export interface S3Location {
  readonly bucket: string
  /** Prefix of every key; empty, or ending in a slash. */
  readonly prefix: string
  /** Undefined for AWS. */
  readonly endpoint: string | undefined
  /** Undefined: taken from the environment. */
  readonly region: string | undefined
  /** `http://host/bucket/key` instead of `http://bucket.host/key`. */
  readonly pathStyle: boolean
}

/** The value of `KITSEAL_OBJECTS`. */
export type ObjectsLocation =
  | { readonly is: 'folder'; readonly path: string }
  | ({ readonly is: 's3' } & S3Location)

/** Other S3 stores accept this region. */
const DEFAULT_REGION = 'us-east-1'

const PARAMETERS = new Set(['endpoint', 'region', 'path_style'])

/** Parses `s3://bucket/prefix?endpoint=…&region=…&path_style=true` or a folder; undefined if invalid. */
export function readObjectsLocation(value: string): ObjectsLocation | undefined {
  // "s3:/bucket" is a typo, not a folder called "s3:".
  if (!/^(s3:|[a-z][a-z0-9+.-]*:\/\/)/i.test(value)) return { is: 'folder', path: value }
  const url = value.startsWith('s3://') ? urlOf(value, /^s3:$/) : undefined
  if (url?.port !== '') return undefined
  const { searchParams: given } = url
  if ([...given.keys()].some((name) => !PARAMETERS.has(name) || given.getAll(name).length > 1))
    return undefined
  const endpoint = given.get('endpoint') ?? undefined
  if (endpoint !== undefined && urlOf(endpoint, HTTP)?.search !== '') return undefined
  const pathStyle = given.get('path_style') ?? String(endpoint !== undefined)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) || !/^(true|false)$/.test(pathStyle))
    return undefined
  // None of the allowed characters is ever percent-encoded.
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[\w./=-]*$/.test(prefix)) return undefined
  const region = given.get('region') ?? (endpoint === undefined ? undefined : DEFAULT_REGION)
  return {
    is: 's3',
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    pathStyle: pathStyle === 'true',
  }
}
