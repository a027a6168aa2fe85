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
  if (!value.startsWith('s3://') || !URL.canParse(value)) return undefined
  const url = new URL(value)
  const { searchParams: given } = url
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '') return undefined
  if ([...given.keys()].some((name) => !PARAMETERS.has(name) || given.getAll(name).length > 1))
    return undefined
  const endpoint = given.get('endpoint') ?? undefined
  if (endpoint !== undefined && !isEndpoint(endpoint)) return undefined
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

function isEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, search, hash } = new URL(value)
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '')
}
