import { fetchJson } from '../fetch-json.ts'

export const API = '/console/api'

/** An error response of the service. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Required by the service as protection against cross-site requests. */
export const OWN_REQUEST = { 'X-Console-Request': '1' } as const

export const get = <T>(path: string): Promise<T> => ask(path, {})

/** A background request, which does not count as user activity. */
export const getQuietly = <T>(path: string): Promise<T> =>
  ask(path, { headers: { 'X-Console-Background': '1' } })

export const post = <T>(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<T> =>
  change('POST', path, body, headers)

export const put = <T>(path: string, body: object): Promise<T> => change('PUT', path, body)

export const patch = <T>(path: string, body: object): Promise<T> => change('PATCH', path, body)

export const remove = (path: string, headers: Record<string, string> = {}): Promise<void> =>
  ask(path, { method: 'DELETE', headers: { ...OWN_REQUEST, ...headers } })

function change<T>(
  method: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<T> {
  return ask(path, {
    method,
    headers: { ...OWN_REQUEST, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const fetched = await fetchJson<T>(`${API}${path}`, init)
  if (fetched.ok) return fetched.value
  throw new ApiProblem(fetched.status, fetched.code, fetched.message)
}

/** Records contain API paths; sessions use the same paths below the console's API. */
export const ownPath = (path: string): string => `${API}${path}`

export function queryText(values: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
