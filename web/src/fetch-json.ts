import { texts } from './texts/index.ts'

export type Fetched<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly message: string }

/** A JSON document of this service, or why there is none, in one sentence. Never throws. */
export async function fetchJson<T>(path: string, init: RequestInit = {}): Promise<Fetched<T>> {
  let answer: Response
  try {
    answer = await fetch(path, { credentials: 'same-origin', ...init })
  } catch {
    return { ok: false, status: 0, code: 'unreachable', message: texts.problem.offline }
  }
  if (answer.status === 204) return { ok: true, value: undefined as T }
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok && body !== undefined) return { ok: true, value: body as T }
  return { ok: false, status: answer.status, ...refusalOf(body) }
}

/** Every refusal of the service has `code` and `message`; what a proxy says on the way has neither. */
export function refusalOf(body: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (body ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return {
    code: typeof code === 'string' ? code : 'unexpected',
    message: typeof message === 'string' ? message : texts.problem.unexpected,
  }
}
