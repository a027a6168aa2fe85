import { ApiError, NetworkError } from '@kitseal/client'
import { language } from './language.ts'
import { known, t } from './texts.ts'

/** Why something failed: in the language of the page, or as the service says it if the page has no text for the code or its values. */
export function messageOf(error: unknown): string {
  if (error instanceof NetworkError) return t('problem.offline')
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  // A proxy answered.
  if (error.code === 'answer_not_understood') return t('problem.unexpected')
  return (language === 'en' ? undefined : known(`error.${error.code}`, error.args)) ?? error.message
}

/** Not found, or not for the one who asks. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
