import { base64url } from '@kitseal/kit'
import { OPERATIONS, type Operations } from './api-types.generated.ts'
import { withRetries } from './retry.ts'
import { type ApiRequest, sendForJson, type Transport } from './transport.ts'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** What a call takes beside its body: path and query, as the description of the service has them. */
export type Place<Name extends keyof Operations> = Operations[Name]['path'] & Operations[Name]['query']

/** Calls an operation that answers JSON, and repeats it where that can do no harm. */
export async function call<Name extends keyof Operations>(
  transport: Transport,
  name: Name,
  place: Place<Name>,
  options: CallOptions & { readonly body?: Operations[Name]['body']; readonly once?: boolean } = {},
): Promise<Answer<Name>> {
  const { signal, body } = options
  const request: ApiRequest = {
    ...address(name, place),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      // Made once for all attempts: the service creates one thing, however often the request reaches it.
      ...(options.once === true ? { 'idempotency-key': idempotencyKey(transport) } : {}),
    },
    signal,
  }
  return withRetries(transport.retry, transport.surroundings, signal, () =>
    sendForJson<Operations[Name]['answer']>(transport, request),
  )
}

export interface Answer<Name extends keyof Operations> {
  readonly answer: Operations[Name]['answer']
  readonly headers: Headers
}

/** Method and path of an operation, with its parameters in place. */
export function address<Name extends keyof Operations>(
  name: Name,
  place: Place<Name>,
): Pick<ApiRequest, 'method' | 'path'> {
  const [method, template] = OPERATIONS[name]
  const left = new Map(Object.entries<unknown>(place).filter(([, value]) => value !== undefined))
  const path = template.replaceAll(/\{([^}]+)\}/g, (_, parameter: string) => {
    const value = String(left.get(parameter) ?? '')
    left.delete(parameter)
    // An empty or dotted segment would make this the address of something else.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${JSON.stringify(value)} is no ${parameter}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(Object.fromEntries(left) as Record<string, string>).toString()
  return { method, path: query === '' ? path : `${path}?${query}` }
}

function idempotencyKey({ surroundings }: Transport): string {
  return base64url(surroundings.randomBytes(24))
}
