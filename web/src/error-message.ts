import { ApiError, NetworkError } from '@kitseal/client'
import { errors, texts } from './texts/index.ts'

/** Why something failed, in the language of the page as far as it has a text for the code. */
export function messageOf(error: unknown): string {
  if (error instanceof NetworkError) return texts.problem.offline
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  // A proxy answered.
  if (error.code === 'answer_not_understood') return texts.problem.unexpected
  return textOf(error.code, errors) ?? error.message
}

/** In the words of someone who has no workspace. */
export const supplierMessageOf = (error: unknown): string =>
  (error instanceof ApiError ? textOf(error.code, texts.request.problems) : undefined) ?? messageOf(error)

const textOf = (code: string, table: Readonly<Record<string, string>> = {}): string | undefined =>
  Object.hasOwn(table, code) ? table[code] : undefined
