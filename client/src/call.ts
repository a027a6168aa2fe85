import { base64url } from '@kitseal/kit/internal'
import { OPERATIONS, type Operations } from './api-types.generated.ts'
import { withRetries, type ApiRequest, type JsonResponse, sendForJson, type Transport } from './transport.ts'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Sent with this request, such as an `idempotency-key` of your own. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type Query<Name extends keyof Operations> = Operations[Name]['query']
export type Body<Name extends keyof Operations> = Operations[Name]['body']

/** Path and query parameters of an operation. */
export type Params<Name extends keyof Operations> = Operations[Name]['path'] & Query<Name>

/** Calls an operation that returns JSON, with retries. */
export function call<Name extends keyof Operations>(
  transport: Transport,
  name: Name,
  params: Params<Name>,
  options: CallOptions & { readonly body?: Body<Name>; readonly idempotent?: boolean } = {},
): Promise<JsonResponse<Operations[Name]['response']>> {
  const { signal, body, idempotent = false } = options
  // All attempts share one key, so a retry never creates a duplicate.
  const headers = { ...(idempotent && { 'idempotency-key': randomText() }), ...options.headers }
  return sendJson(transport, { ...endpoint(name, params), body, headers, signal })
}

/** Sends JSON or a Blob, with retries, and returns the JSON of the response. */
export function sendJson<Data>(
  transport: Transport,
  { body, headers, ...request }: Omit<ApiRequest, 'body'> & { readonly body?: object | undefined },
): Promise<JsonResponse<Data>> {
  const content = body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = { ...request, ...content, headers: { ...type, ...headers } }
  return withRetries(transport, request.signal, () => sendForJson<Data>(transport, sent))
}

/** For idempotency keys and boundaries. */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(24)))

export type Ask = ReturnType<typeof caller>

/** Calls operations and returns their data. */
export function caller(transport: Transport) {
  return async <Name extends keyof Operations>(
    name: Name,
    params: Params<Name>,
    options?: Parameters<typeof call<Name>>[3],
  ): Promise<Operations[Name]['response']> => (await call(transport, name, params, options)).data
}

/** Method and path of an operation, with its parameters filled in. */
export function endpoint<Name extends keyof Operations>(
  name: Name,
  params: Params<Name>,
): Pick<ApiRequest, 'method' | 'path'> {
  const [method, template] = OPERATIONS[name]
  const unused = new Map(Object.entries<unknown>(params).filter(([, value]) => value !== undefined))
  const path = template.replaceAll(/\{([^}]+)\}/g, (_, parameter: string) => {
    const value = String(unused.get(parameter) ?? '')
    unused.delete(parameter)
    // An empty or dotted segment would change the path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${JSON.stringify(value)} is not a valid ${parameter}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(Object.fromEntries(unused) as Record<string, string>).toString()
  return { method, path: query === '' ? path : `${path}?${query}` }
}
