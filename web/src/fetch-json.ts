import { texts } from './texts/index.ts'

export type Fetched<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly message: string }

/** Fetches JSON from this service. Never throws. */
export async function fetchJson<T>(path: string, init: RequestInit = {}): Promise<Fetched<T>> {
  let response: Response
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init })
  } catch {
    return { ok: false, status: 0, code: 'unreachable', message: texts.problem.offline }
  }
  if (response.status === 204) return { ok: true, value: undefined as T }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return { ok: true, value: body as T }
  return { ok: false, status: response.status, ...refusalOf(body) }
}

/** Error responses of the service have `code` and `message`; those of a proxy do not. */
export function refusalOf(body: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (body ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return {
    code: typeof code === 'string' ? code : 'unexpected',
    message: typeof message === 'string' ? message : texts.problem.unexpected,
  }
}
