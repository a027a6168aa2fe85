/** Where objects lie in a store that speaks S3. It holds no secret: credentials come from the usual AWS names. */
export interface S3Location {
  readonly bucket: string
  /** Stands before every key; empty, or ending in a slash. */
  readonly prefix: string
  /** Undefined for AWS itself. */
  readonly endpoint: string | undefined
  /** Undefined where the environment says it. */
  readonly region: string | undefined
  /** `http://host/bucket/key` instead of `http://bucket.host/key`. */
  readonly pathStyle: boolean
}

/** What `KITSEAL_OBJECTS` can be. */
export type ObjectsLocation =
  | { readonly is: 'folder'; readonly path: string }
  | ({ readonly is: 's3' } & S3Location)

/** What stores elsewhere than at AWS take, where nothing is said. */
const USUAL_REGION = 'us-east-1'

const PARAMETERS = new Set(['endpoint', 'region', 'path_style'])

/** `s3://bucket/prefix?endpoint=…&region=…&path_style=true`, or a folder; undefined where it is neither. */
export function readObjectsLocation(value: string): ObjectsLocation | undefined {
  // A slip in the slashes makes no folder called "s3:".
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
  // None of the characters that are allowed is ever escaped.
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[\w./=-]*$/.test(prefix)) return undefined
  const region = given.get('region') ?? (endpoint === undefined ? undefined : USUAL_REGION)
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
