import { acceptProblem } from '@kitseal/examiner'
import type { ExtraCheck } from '../http/validate-request.ts'

/** Each code must be one that can be acknowledged. */
export const checkAccept: ExtraCheck = ({ accept }) =>
  (Array.isArray(accept) ? accept : []).flatMap((code, index) => {
    const wrong = typeof code === 'string' ? acceptProblem(code) : undefined
    return wrong === undefined ? [] : [{ param: `accept[${index}]`, text: `accept: ${wrong}` }]
  })
